// An evening of four people in one network: two phones, a laptop, and somebody who looks on and reloads all the time. They play a whole game
// with slips: a wrong tap, a card that cannot be played, a phone that sleeps, a lost connection, somebody who leaves for a while.
import { answer, desktop, is_over, narrow, patience, phone, sit, take_seat } from "./table.mjs";
import { random_numbers, serve } from "./server.mjs";

const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const names = ["アナ", "Ben", "Chie"];

// What went wrong. `picture(page, name)` keeps what a page shows.
export async function play_an_evening(browser, game, picture) {
  const found = [];
  const check = (fact, what) => { if (!fact) found.push(`${game}: ${what}`); };
  const table = await serve(game, "--players", "3", "--seed", game === "jiji" ? "5" : "8", "--pace", "0");
  const devices = [phone, narrow, desktop];
  const pages = [];
  for (const [i, device] of devices.entries()) pages.push(await sit(browser, table.links[`P${i + 1}`], `${game} ${names[i]}`, device, i === 0 ? "ja" : "en"));
  const host = await sit(browser, table.links.host, `${game} host`, desktop);
  const watch = await sit(browser, table.links.watch, `${game} watch`, phone, "ja");
  for (const page of [...pages, host]) page.on("dialog", (dialog) => dialog.accept());
  await picture(pages[1], `${game}-lobby`);
  await picture(host, `${game}-host`);
  for (const [i, page] of pages.entries()) await take_seat(page, names[i]);

  // Somebody reloads all the time.
  let reloads = 0;
  let looks_on = true;
  const reloading = (async () => {
    for (; looks_on; ++reloads) {
      await watch.reload();
      await watch.waitForSelector(".log");
      await wait(700);
    }
  })();

  const random = random_numbers(5);
  const asked = (page) => page.locator(".asked").isVisible();
  const lines = (page) => page.locator(".log li").count();
  const done = new Set();
  // What happens once in a game, as soon as it can.
  const slips = {
    async wrong_tap(page) {
      // On an own card: it is only marked, and taken back by another tap.
      const card = page.locator(".mine .pick").first();
      if (!(await asked(page)) || (await card.count()) === 0 || (await page.locator(".asked .options [aria-pressed]").count()) > 0) return false;
      const before = await lines(page);
      await card.click();
      await page.waitForSelector('.mine .pick[aria-pressed="true"]');
      await picture(page, `${game}-marked`);
      await card.click();
      check((await lines(page)) === before && (await asked(page)), "a tap on an own card decides nothing");
      return true;
    },
    async careful(page) {
      if (!(await asked(page)) || (await page.locator(".asked .main").isVisible())) return false;
      await page.locator(".careful input").check();
      const before = await lines(page);
      await page.locator(".asked .option").first().click();
      await page.waitForSelector(".asked .main");
      check((await lines(page)) === before, "who wants to be asked before a choice is asked");
      await page.locator(".asked .main").click();
      await page.waitForSelector('.asked .option[aria-pressed="true"]', { state: "detached" });
      await page.locator(".careful input").uncheck();
      return true;
    },
    async cannot(page) {
      const card = page.locator(".mine .why").first();
      if (!(await asked(page)) || (await card.count()) === 0) return false;
      await card.click();
      await page.waitForSelector(".reason p:not(:text('…'))");
      await picture(page, `${game}-why-not`);
      await page.locator(".reason .quiet").click();
      return true;
    },
    async sleep(page) {
      const url = page.url();
      const before = await lines(page);
      if (before < 3) return false;
      await page.goto("about:blank");
      await wait(1500);
      await page.goto(url);
      await page.waitForSelector(".log li");
      check((await lines(page)) >= before, "a phone that slept has the whole log");
      return true;
    },
    async cut(page) {
      if ((await lines(page)) < 4) return false;
      await page.evaluate(() => dispatchEvent(new Event("offline")));
      await page.context().setOffline(true);
      await wait(400);
      await page.context().setOffline(false);
      await page.reload();
      await page.waitForSelector(".log li");
      return true;
    },
    async take_back(page) {
      if (!(await asked(page)) || (await page.locator(".asked .main").isVisible())) return false;
      await answer(page, random);
      await wait(200);
      await page.locator(".undo").first().click({ timeout: 2000 }).catch(() => {});
      await wait(400);
      await picture(page, `${game}-take-back`);
      for (const other of pages) if (other !== page && (await other.locator(".consent .decline").isVisible())) await other.locator(".consent .decline").click({ timeout: 2000 }).catch(() => {});
      return true;
    },
  };
  const leaves = game === "jiji" ? 2 : 15;  // the round in which the third leaves, and for how long
  let left = 0;
  let step = 0;
  const longest = { wait: 0, since: Date.now() };
  for (; Date.now() - longest.since < patience; ++step) {
    for (const [i, [name, slip]] of Object.entries(slips).entries()) {
      const page = pages[i % 2];
      if (!done.has(name) && step >= i && (await slip(page))) done.add(name);
    }
    if (step === leaves) {
      // The third goes to put the children to bed; the program plays on.
      await pages[2].goto("about:blank");
      await host.locator(".seats select").nth(2).selectOption(game === "cogito" ? "deduce" : "random");
      left = step;
      await picture(host, `${game}-left`);
    }
    if (left && step === left + leaves) {
      await pages[2].goto(new URL("/", table.links.P3).href);
      await pages[2].waitForSelector(".log li");
      await pages[2].getByRole("button", { name: /Play on myself|自分で続ける/ }).click();
      await pages[2].waitForFunction(() => !document.querySelector(".badge.gone"));
      left = 0;
    }
    let did = "";
    for (const page of left ? pages.slice(0, 2) : pages) did = (await answer(page, random)) || did;
    if (await is_over(pages[0])) break;
    if (did) longest.since = Date.now();
    longest.wait = Math.max(longest.wait, Date.now() - longest.since);
    if (step === leaves - 1) for (const [i, page] of pages.entries()) await picture(page, `${game}-${i}`);
    await wait(did ? 10 : 40);
  }
  check(await is_over(pages[0]), `comes to its end (step ${step})`);
  looks_on = false;
  await reloading;
  for (const name of Object.keys(slips)) if (!done.has(name)) console.log(`${game}: no occasion for ${name}`);
  await picture(pages[0], `${game}-end`);
  await picture(watch, `${game}-watch`);
  check(await watch.locator(".end").isVisible(), "who looks on sees the end");
  const all = await lines(pages[0]);
  for (const page of pages.slice(1)) check(Math.abs((await lines(page)) - all) < all / 2 + 20, "all have a log");
  console.log(`${game}: an evening of ${step} rounds, ${reloads} reloads, longest wait ${longest.wait} ms, ${all} lines`);
  for (const page of [...pages, host, watch]) await page.context().close();
  await table.close();
  return found;
}
