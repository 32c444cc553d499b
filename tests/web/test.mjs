// Whole games in a real browser: phones and a desktop, by tap and by keys alone, in both languages and themes.
import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { print_rulebooks } from "./book.mjs";
import { all_findings, answer, desktop, examine, is_over, look_for_covered, narrow, open_browser, patience, phone, sit, take_seat } from "./table.mjs";
import { play_an_evening } from "./lan.mjs";
import { fresh_folder, random_numbers, serve, serve_from } from "./server.mjs";
import { look_at_slow_phone } from "./slow.mjs";

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

async function play(browser, game, players, { devices, locales = [], keys = false, seed = "3", options = [], shots = "", cut = false, again = false, calls = false, hints = false }) {
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
  let lately = Date.now();
  let step = 0;
  let first = 0;
  while (step < 600 && Date.now() - lately < patience) {
    let done = "";
    for (const page of pages) {
      if (await page.locator(".asked").isVisible()) {
        const several = await page.locator(".asked .main").isVisible();
        await screen(page, several ? "choice of several" : "choice");
        if (calls && (await page.locator(".act").count()) > 0) {
          // A call that may decide the game is asked about once more.
          calls = false;
          const before = await page.locator(".log li").count();
          await page.locator(".act").first().click();
          await page.waitForSelector(".sure");
          await screen(page, "may decide the game");
          await picture(page, "may-decide");
          await page.click(".sure .quiet");
          await page.waitForSelector(".act");
          check((await page.locator(".log li").count()) === before, "who is not sure has not called");
        }
        if (shots && !drawn.has(page) && page.viewportSize().width >= phone.viewport.width && (await page.locator(".log li").count()) > 12) {
          drawn.add(page);
          await page.evaluate(() => scrollTo(0, 0));
          for (let language = 0; language < 2; ++language) {
            await picture(page, `${shots}-${page.viewportSize().width < 600 ? "phone" : "desktop"}-${await page.evaluate(() => document.documentElement.lang)}`);
            await page.click("header .language");
          }
        }
      }
      if (await page.locator(".go:not([disabled])").isVisible()) await screen(page, "window");
      if (hints && (await page.locator(".asked .hint .quiet").isVisible())) {
        hints = false;
        await look_at_hint(page);
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
    if (done) {
      lately = Date.now();
      ++step;
    }
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
    for (const end = Date.now() + patience; Date.now() < end && !did; ) for (const page of pages) did = did || (await answer(page, random, keys));
    check(did, `${game}: another game is played`);
  }
  for (const page of [...pages, host, watch]) {
    check(page.foreign.length === 0, `${game}: asked of another host: ${page.foreign}`);
    await page.context().close();
  }
  await table.close();
  console.log(`${game}: ${step} rounds, first answer after ${first} ms, ${keys ? "by keys" : "by taps"}`);
}

// Before the game the host sets how it is played; a seat that is no more has no link.
async function set_up(browser) {
  const table = await serve("daifugo", "--players", "4", "--seed", "3", "--pace", "0");
  const host = await sit(browser, table.links.host, "set up host", desktop);
  const pages = [await sit(browser, table.links.P1, "set up 1", narrow, "ja"), await sit(browser, table.links.P4, "set up 4", phone)];
  for (const page of [host, pages[0]]) {
    await page.click(".setup summary");
    await screen(page, page === host ? "set up" : "how it is played");
  }
  await take_seat(pages[0], "アナ");
  await host.locator(".setup select").first().selectOption("3");
  await pages[1].waitForSelector("main > [role=alert]");
  await screen(pages[1], "no seat");
  await host.locator(".setup details select").first().selectOption("five_deals");
  await pages[0].waitForFunction(() => /5ゲーム/.test(document.querySelector(".setup dd").textContent));
  check((await pages[0].locator(".seats li").count()) === 3, "three play");
  check(await pages[0].getByText("アナ").first().isVisible(), "who sat stays");
  for (const i of [1, 2]) await host.locator(".seats select").nth(i).selectOption("random");
  await host.click(".host > .main");
  await pages[0].waitForSelector(".table .mine");
  for (const page of [host, ...pages]) await page.context().close();
  await table.close();
}

// What people do besides moving: take back, ask why not, read the rules, see the game again; and the host ends it.
async function people(browser) {
  const table = await serve("hearts", "--players", "4", "--seed", "5", "--pace", "0", "--seat", "3=random", "--seat", "4=random");
  const pages = [await sit(browser, table.links.P1, "people 1", phone), await sit(browser, table.links.P2, "people 2", desktop, "ja")];
  const host = await sit(browser, table.links.host, "people host", desktop);
  const watch = await sit(browser, table.links.watch, "people watch", narrow);
  for (const page of [...pages, host]) page.on("dialog", (dialog) => dialog.accept());
  for (const [i, page] of pages.entries()) await take_seat(page, `Name ${i}`);
  await pages[0].click("header .rules");
  await pages[0].waitForSelector(".book h3");
  await screen(pages[0], "rules");
  check((await pages[0].locator(".book li, .book p").count()) > 10, "the rules stand beside the table");
  await pages[0].click(".book .drawn");
  await pages[0].waitForSelector(".book .turn", { state: "attached" });
  await pages[0].waitForSelector(".book .picture img, .book details[open]");
  await screen(pages[0], "the turn");
  await picture(pages[0], "the-turn");
  check((await pages[0].locator(".book .turn > li").count()) > 3, "the turn stands beside the table in steps, too");
  check(await pages[0].evaluate(() => [...document.querySelectorAll(".picture img")].every((i) => i.complete && i.naturalWidth > 100)), "the turn is drawn");
  await pages[0].click(".book .drawn");
  await pages[0].waitForSelector(".book h3");
  await pages[0].click(".book .bar .quiet >> nth=2");
  const random = random_numbers(3);
  let why = false;
  let together = false;
  for (let i = 0; i < 60 && !(why && together); ++i) {
    for (const page of pages) {
      const cannot = page.locator(".mine .why");
      if (!why && (await page.locator(".asked").isVisible()) && (await cannot.count()) > 0) {
        await cannot.first().click();
        await page.waitForSelector(".reason p:not(:text('…'))");
        check((await page.locator(".reason p").first().textContent()).length > 5, "a card that cannot be played says why");
        await screen(page, "why not");
        why = true;
      }
      await answer(page, random);
      if (!together && (await page.getByText(/choosing at the same time|同時に選んで/).isVisible())) {
        together = true;
        await screen(page, "chosen together");
      }
    }
    await new Promise((next) => setTimeout(next, 300));
  }
  check(why, "some card cannot be played");
  check(together, "cards are passed together");
  await host.click(".end_game");
  for (const page of [...pages, watch]) {
    await page.waitForSelector(".end .eyes select");
    const own = page !== watch;
    await page.selectOption(".eyes select", own ? "1" : "-1");
    await page.waitForSelector(".steps");
    const whole = await page.locator(".log li").count();
    await page.click(".steps button >> nth=2");
    await page.waitForFunction(() => /^2 /.test(document.querySelector(".steps .step").textContent));
    check((await page.locator(".log li").count()) >= whole, "a step on tells more");
    check((await page.locator(".eyes option").count()) === (own ? 6 : 2), "who looks on sees the public view alone");
    await screen(page, own ? "replay" : "public replay");
    await picture(page, own ? "replay" : "public-replay");
  }
  for (const page of [...pages, host, watch]) await page.context().close();
  await table.close();
}

// What can be known: first what helps most, then all of it.
async function look_at_hint(page) {
  await page.click(".hint .quiet");
  await page.waitForSelector(".hint .known");
  check((await page.locator(".known > ul li").count()) > 0, "a hint says what is known");
  check((await page.locator(".known dd").count()) > 0, "a hint says why the rest is ruled out");
  check((await page.locator(".moves tbody tr").count()) > 0, "a hint says what moves bring");
  await screen(page, "hint");
  await picture(page, "hint");
  await page.click(".known .quiet >> nth=0");
  await page.waitForFunction(() => document.querySelectorAll(".known > .quiet").length === 1);
  await screen(page, "all of a hint");
  await page.click(".known > .quiet");
  await page.waitForSelector(".known", { state: "detached" });
}

// With a pace: everybody may go on when they have seen enough, and if all do, nobody waits.
async function pause(browser) {
  const table = await serve("cogito", "--players", "3", "--seed", "7", "--pace", "60", "--seat", "3=random");
  const pages = [await sit(browser, table.links.P1, "pause 1", phone), await sit(browser, table.links.P2, "pause 2", desktop, "ja")];
  const begun = Date.now();
  for (const [i, page] of pages.entries()) await take_seat(page, `Name ${i}`);
  for (const page of pages) await page.waitForSelector(".go:not([disabled])");
  await screen(pages[0], "pause");
  await picture(pages[0], "pause");
  for (let i = 0; i < 40; ++i) {
    if (await pages.reduce(async (found, page) => (await found) || page.locator(".asked").isVisible(), Promise.resolve(false))) break;
    for (const page of pages) if (await page.locator(".go:not([disabled])").isVisible()) await page.click(".go");
    await new Promise((next) => setTimeout(next, 100));
  }
  check(Date.now() - begun < 60_000, "nobody waits when all have seen enough");
  for (const page of pages) await page.context().close();
  await table.close();
}

// A game in which nobody is asked anything: people act when they want to, or let it pass.
const reflexes = `game reflexes
players 2 in a circle, clockwise
enum Animal { cat, dog }
pieces tile { animal Animal   points 1..3   2 of each }
zone bag              stack of tile  seen by nobody
zone line             row of tile    seen by all
zone won  of player   set of tile    seen by all
fact fast of player   yes/no = no    lasts tap   seen by all, quiet
setup { put all pieces on bag, shuffled }
play { repeat tap until bag is empty, at most 12 times }
rule tap "One tile is turned up; whoever taps first has all that lies there." {
  draw c from bag to line
  offer grab
  each p clockwise from P1 where p's fast: put line in p's won
}
act grab(player p) "Whoever wants the tiles grabs them." when offered unless some q in players where q's fast, when simulated 30 in 100 { p's fast becomes yes }
define score(player p) = sum of its points over p's won
winner = players with most score(it), then shared
labels ja { reflexes "早取り"  cat "猫"  dog "犬"  tile "駒"  bag "袋"  line "場"  won "取った駒"  grab "取る"  tap "めくる"  fast "早い人" }
texts ja { tap "駒を1個めくる。だれより早く取った人が、そこにある駒をすべて得る。"  grab "場の駒がほしい人が取る。" }
`;
async function acts_alone(browser) {
  const folder = fresh_folder();
  writeFileSync(`${folder}/reflexes.rules`, reflexes);
  const table = await serve_from(`${folder}/table`, `${folder}/reflexes.rules`, "--seed", "3", "--pace", "0");
  const pages = [await sit(browser, table.links.P1, "acts 1", phone, "ja"), await sit(browser, table.links.P2, "acts 2", narrow)];
  for (const [i, page] of pages.entries()) await take_seat(page, `Name ${i}`);
  const random = random_numbers(9);
  const read = new Set();  // pages on which the act was read about
  let grabs = 0;
  for (const end = Date.now() + patience; Date.now() < end && !(await is_over(pages[0])); ) {
    for (const [i, page] of pages.entries()) {
      const lines = await page.locator(".log li").count();
      const may = (await page.locator(".go:not([disabled])").isVisible()) && (await page.locator(".act[aria-pressed=false]").isVisible());
      if (!may || random() > 0.4) {
        await answer(page, random);
        continue;
      }
      if (!read.has(i)) {
        read.add(i);
        await page.locator(".ask .rule summary").click();
        check(await page.getByText(/Whoever wants the tiles|場の駒がほしい人/).isVisible(), "what an act does stands beside its button");
        await screen(page, "acts alone");
        await picture(page, `acts-alone-${i}`);
      }
      await page.click(".act");
      // It is done when the others have acted too, or let it pass.
      await page.waitForFunction((before) => document.querySelector('.act[aria-pressed="true"]') || document.querySelectorAll(".log li").length > before, lines);
      ++grabs;
    }
    await new Promise((next) => setTimeout(next, 20));
  }
  check(await is_over(pages[0]), "a game of acts alone comes to its end");
  check((await pages[0].getByText(/: 取る$/).count()) > 0, "who acted is told");
  check(grabs > 2, `people act in a game of acts alone (${grabs} times)`);
  check(/個/.test(await pages[0].locator(".place .count").first().textContent()), "what is no card is counted as pieces");
  check(/piece/.test(await pages[1].locator(".place .count").first().textContent()), "what is no card is counted as pieces");
  for (const page of pages) await page.context().close();
  await table.close();
  rmSync(folder, { recursive: true, force: true });
}

// What goes wrong: a page without a link, a name that somebody has, a server that is gone, rules that were changed, rules that break off.
async function errors(browser) {
  const folder = fresh_folder();
  const rules = `${folder}/own.rules`;
  writeFileSync(rules, `game own
players 2 in a circle, clockwise
cards card { rank 1..6   1 of each }
zone deck            stack of card  seen by nobody
zone hand of player  set of card    seen by owner
zone pile            row of card    seen by all
setup { put all cards on deck, shuffled   deal 2 from deck to every hand }
play { repeat round, at most 9 times, then nothing }
rule round "Put a card, and take three." { each p clockwise from P1 { p must choose c from p's hand: put c in pile   deal 3 from deck to p's hand } }
winner = players with least size of its hand, then shared
`);
  let table = await serve_from(`${folder}/table`, rules, "--players", "2", "--seed", "3", "--pace", "0");
  const links = table.links;
  const pages = [await sit(browser, links.P1, "errors 1", narrow), await sit(browser, links.P2, "errors 2", desktop, "ja")];
  const stranger = await sit(browser, new URL("/", links.P1).href, "errors stranger", phone);
  await stranger.waitForSelector("main .wait");
  await screen(stranger, "no link");
  await take_seat(pages[0], "Anna");
  await pages[1].waitForFunction(() => /Anna/.test(document.body.textContent));
  await take_seat(pages[1], "Anna");
  await pages[1].waitForFunction(() => document.querySelector(".notice").textContent);
  await screen(pages[1], "refusal");
  await take_seat(pages[1], "健");
  const random = random_numbers(3);
  await pages[0].waitForSelector(".asked");
  pages[0].is_lost = pages[1].is_lost = true;  // a browser complains of that
  await table.stop();
  await pages[0].waitForSelector(".cut");
  await screen(pages[0], "connection lost");
  for (const page of [...pages, stranger]) await page.context().close();

  const before = rules_of(rules);
  appendFileSync(rules, "define payoff(player p) = 1\n");
  table = await serve_from(`${folder}/table`, rules, "--players", "2", "--pace", "0");
  const again = await sit(browser, moved(links.P1, table), "errors read only", phone);
  await again.waitForSelector(".end");
  await screen(again, "read only");
  await again.context().close();
  await table.stop();

  writeFileSync(rules, before);
  table = await serve_from(`${folder}/table`, rules, "--players", "2", "--pace", "0");
  const last = [await sit(browser, moved(links.P1, table), "errors 3", narrow), await sit(browser, moved(links.P2, table), "errors 4", desktop, "ja")];
  for (let i = 0; i < 400 && !(await is_over(last[0])); ++i) {
    for (const page of last) await answer(page, random);
    await new Promise((next) => setTimeout(next, 50));
  }
  await screen(last[0], "rules break off");
  check(/own|3|deck/i.test(await last[0].locator(".end").textContent()), "it says where the rules break off");
  for (const page of last) await page.context().close();
  await table.close();
  rmSync(folder, { recursive: true, force: true });
}
const rules_of = (path) => readFileSync(path, "utf8");
// The same link at a server that has another port now.
const moved = (link, table) => link.replace(/:\d+/, `:${new URL(table.links.host).port}`);

// Somebody else is the host now, and who was away comes back.
async function hand_over(browser) {
  const table = await serve("kuhn", "--players", "2", "--seed", "5", "--pace", "0");
  const pages = [await sit(browser, table.links.P1, "hand 1", phone), await sit(browser, table.links.P2, "hand 2", desktop, "ja")];
  const host = await sit(browser, table.links.host, "hand host", desktop);
  host.on("dialog", (dialog) => dialog.accept());
  for (const [i, page] of pages.entries()) await take_seat(page, `Name ${i}`);
  await pages[0].waitForSelector(".asked");
  await host.locator(".seats select").nth(1).selectOption("random");
  await pages[1].waitForSelector(".ask .main");
  await pages[1].getByText(/the program plays for you|プログラムが代わりに/).waitFor();
  await screen(pages[1], "away");
  await host.locator(".seats li").first().getByRole("button", { name: /Make host/ }).click();
  await pages[0].waitForSelector(".handed");
  await screen(pages[0], "handed the host's role");
  for (const page of [...pages, host]) await page.context().close();
  await table.close();
}

// Taken back by consent.
async function take_back(browser) {
  const table = await serve("kuhn", "--players", "2", "--seed", "5", "--pace", "0");
  const pages = [await sit(browser, table.links.P1, "back 1", narrow), await sit(browser, table.links.P2, "back 2", desktop, "ja")];
  for (const [i, page] of pages.entries()) await take_seat(page, `Name ${i}`);
  await pages[0].waitForSelector(".asked .option");
  await pages[0].click(".asked .option >> nth=0");
  await pages[1].waitForSelector(".asked .option");
  await pages[0].click(".undo");
  await pages[1].waitForSelector(".consent");
  await screen(pages[1], "consent");
  await pages[1].click(".consent .agree");
  await pages[0].waitForSelector(".asked .option");
  check(!(await pages[1].locator(".asked").isVisible()), "what was taken back is asked again");
  check(/took back|取り消しました/.test(await pages[1].locator(".log li").first().textContent()), "the log says that it was taken back");
  for (const page of pages) await page.context().close();
  await table.close();
}

// On a narrow phone the button that says a choice of several stands below what can be chosen, not over it.
async function long_choice(browser) {
  const table = await serve("hearts", "--players", "4", "--seed", "4", "--pace", "0", "--seat", "2=random", "--seat", "3=random", "--seat", "4=random");
  const page = await sit(browser, table.links.P1, "long choice", narrow);
  await take_seat(page, "Name");
  await page.waitForSelector(".asked .main");
  const options = page.locator(".asked .option");
  for (const at of [0, (await options.count()) - 1]) {
    await options.nth(at).scrollIntoViewIfNeeded();
    await look_for_covered(page, "long choice");
  }
  const button = await page.locator(".asked .main").boundingBox();
  check(button.y + button.height <= narrow.viewport.height, "the button below a long choice is on the screen");
  await page.context().close();
  await table.close();
}

const browser = await open_browser();
await long_choice(browser);
await set_up(browser);
await take_back(browser);
await people(browser);
await pause(browser);
await acts_alone(browser);
await errors(browser);
await hand_over(browser);
await play(browser, "kuhn", 2, { devices: [narrow, desktop], locales: ["en", "ja"], options: ["--hints"], cut: true, again: true, hints: true });
await play(browser, "cogito", 2, { devices: [phone, desktop], locales: ["ja", "en"], keys: true, shots: "table-cogito", options: ["--hints"], calls: true });
await play(browser, "jiji", 3, { devices: [phone, desktop, narrow], locales: ["en", "ja", "ja"], keys: true, shots: "table-jiji" });
await play(browser, "hearts", 4, { devices: [phone], locales: ["ja"], options: ["--seat", "2=random", "--seat", "3=random", "--seat", "4=random"], shots: "table-hearts" });
for (const finding of await look_at_slow_phone(browser)) check(false, finding);
for (const game of ["cogito", "jiji"])
  for (const finding of await play_an_evening(browser, game, async () => {})) check(false, finding);
const printed = await print_rulebooks(browser, "games");
await browser.close();
for (const finding of printed) {
  console.log(`FAILED: ${finding}`);
  ++failures;
}
for (const finding of new Set(all_findings())) {
  console.log(`FAILED: ${finding}`);
  ++failures;
}
console.log(`${screens} screens examined (${[...seen].join(", ")}), each in two languages and themes; ${failures} failures`);
process.exit(failures === 0 ? 0 : 1);
