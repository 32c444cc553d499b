// Whole games in a real browser: phones and a desktop, by tap and by keys alone, in both languages and themes.
import { mkdirSync } from "node:fs";
import { all_findings, answer, desktop, examine, is_over, narrow, open_browser, phone, random_numbers, serve, sit, take_seat } from "./table.mjs";

const pictures = process.env.PICTURES;  // a folder for screenshots, or nothing
if (pictures) mkdirSync(pictures, { recursive: true });
let failures = 0;
let screens = 0;
const seen = new Set();

function check(fact, what) {
  if (!fact) {
    console.log(`FAILED: ${what}`);
    ++failures;
  }
}

const picture = async (page, name) => {
  if (pictures) await page.screenshot({ path: `${pictures}/${name}.png` });
};

// Examines a screen once for each of its kinds.
async function screen(page, name) {
  if (seen.has(name)) return;
  seen.add(name);
  screens += await examine(page, name);
}

async function play(browser, game, players, { devices, locales = [], keys = false, seed = "3", options = [], shots = "", cut = false, again = false }) {
  const begun = Date.now();
  const table = await serve(game, "--players", String(players), "--seed", seed, "--pace", "0", ...options);
  const names = ["Anna", "健", "Chie", "Dai"];
  const pages = [];
  for (let i = 0; i < players; ++i) {
    const link = table.links[`P${i + 1}`];
    if (link) pages.push(await sit(browser, link, `${game} ${names[i]}`, devices[i % devices.length], locales[i] ?? "en"));
  }
  const host = await sit(browser, table.links.host, `${game} host`, desktop);
  const watch = await sit(browser, table.links.watch, `${game} watch`, phone);
  await pages[0].waitForSelector(".sit");
  check(!pages[0].url().includes("#"), "the token is taken out of the address bar");
  await screen(pages[0], "lobby");
  await host.waitForSelector(".host");
  await screen(host, "host");
  for (let i = 0; i < pages.length; ++i) await take_seat(pages[i], names[i]);
  const random = random_numbers(7);
  const drawn = new Set();
  let idle = 0;
  let step = 0;
  let first = 0;
  for (; step < 600 && idle < 200; ++step) {
    let done = "";
    for (const page of pages) {
      if (await page.locator(".asked").isVisible()) {
        const several = await page.locator(".asked .main").isVisible();
        await screen(page, several ? "choice of several" : "choice");
        if (shots && !drawn.has(page) && (await page.locator(".log li").count()) > 12) {
          drawn.add(page);
          await page.evaluate(() => scrollTo(0, 0));
          await picture(page, `${shots}-${page.viewportSize().width < 600 ? "phone" : "desktop"}-${await page.evaluate(() => document.documentElement.lang)}`);
        }
      }
      const did = await answer(page, random, keys);
      if (did && !first) first = Date.now() - begun;
      done = done || did;
      const spoken = await page.evaluate(() => {
        const last = document.querySelector(".log li")?.textContent ?? "";
        return document.querySelector("[aria-live]").textContent === last;
      });
      check(spoken, "the line that is spoken is the last of the log");
    }
    if (cut && step === 0) {
      // Nobody loses anything by a reload.
      const before = await pages[0].locator(".log li").count();
      await pages[0].reload();
      await pages[0].waitForSelector(".log li");
      check((await pages[0].locator(".log li").count()) >= before, "a reloaded page has the whole log");
      await watch.reload();
    }
    if (await is_over(pages[0])) break;
    idle = done ? 0 : idle + 1;
    await new Promise((next) => setTimeout(next, done ? 10 : 40));
  }
  check(await is_over(pages[0]), `${game} comes to its end (step ${step})`);
  check(first < 30_000, `${game}: first answer after ${first} ms`);
  if (await is_over(pages[0])) {
    await screen(pages[0], "end");
    await watch.waitForSelector(".end");
    await screen(watch, "looking on");
    const [log] = await Promise.all([pages[0].waitForEvent("download"), pages[0].click(".end .save")]);
    check(log.suggestedFilename().endsWith(".log"), "the log can be saved");
  }
  if (again) {
    // Another game: the same people in the same seats, and a log that begins anew.
    const before = await watch.locator(".log li").count();
    for (const page of pages) await page.click(".end .main");
    for (const page of [...pages, host, watch]) await page.waitForSelector(".end", { state: "detached" });
    check((await watch.locator(".log li").count()) < before, `${game}: the log of another game begins anew`);
    check(await pages[0].getByText(names[0]).first().isVisible(), `${game}: people keep their seats`);
    let did = "";
    for (let i = 0; i < 50 && !did; ++i) for (const page of pages) did = did || (await answer(page, random, keys));
    check(did, `${game}: another game is played`);
  }
  for (const page of [...pages, host, watch]) {
    check(page.foreign.length === 0, `${game}: asked of another host: ${page.foreign}`);
    await page.context().close();
  }
  await table.close();
  console.log(`${game}: ${step} rounds, first answer after ${first} ms, ${keys ? "by keys" : "by taps"}`);
}

const browser = await open_browser();
await play(browser, "kuhn", 2, { devices: [narrow, desktop], locales: ["en", "ja"], options: ["--hints"], cut: true, again: true });
await play(browser, "cogito", 2, { devices: [phone, desktop], locales: ["ja", "en"], keys: true, shots: "table-cogito", options: ["--hints"] });
await play(browser, "jiji", 3, { devices: [phone, desktop, narrow], locales: ["en", "ja", "ja"], shots: "table-jiji" });
await play(browser, "hearts", 4, { devices: [phone], locales: ["ja"], options: ["--seat", "2=random", "--seat", "3=random", "--seat", "4=random"], shots: "table-hearts" });
await browser.close();
for (const finding of new Set(all_findings())) {
  console.log(`FAILED: ${finding}`);
  ++failures;
}
console.log(`${screens} screens examined (${[...seen].join(", ")}), each in two languages and themes; ${failures} failures`);
process.exit(failures === 0 ? 0 : 1);
