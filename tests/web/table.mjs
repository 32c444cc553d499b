// Pages of a real browser that play at a table.
import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { chromium } from "playwright-core";

const require = createRequire(import.meta.url);
const axe = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

export const phone = { viewport: { width: 390, height: 780 }, isMobile: true, hasTouch: true };
export const narrow = { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true };
export const desktop = { viewport: { width: 1200, height: 860 } };

export const open_browser = () =>
  chromium.launch({
    executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-background-networking", "--disable-component-update", "--disable-sync"],
  });

// Waits follow what happens. This is only for what never comes, on the busiest machine.
export const patience = 300_000;

const findings = [];
export const all_findings = () => findings;

// What axe finds on the page as it is, in both languages and themes.
export async function examine(page, name) {
  let checked = 0;
  for (const scheme of ["light", "dark"]) {
    await page.emulateMedia({ colorScheme: scheme });
    for (let language = 0; language < 2; ++language) {
      await page.evaluate(axe);
      const found = await page.evaluate(() => axe.run());
      for (const violation of found.violations)
        findings.push(`${name}, ${scheme}: ${violation.id}: ${violation.nodes.map((n) => n.html).slice(0, 3).join(" | ")}`);
      const wide = await page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
      if (wide) findings.push(`${name}, ${scheme}: wider than the screen`);
      await page.locator("header .language").evaluate((button) => button.click());
      ++checked;
    }
  }
  await page.emulateMedia({ colorScheme: "light" });
  return checked;
}

// Whatever of a choice is seen can be tapped there: nothing lies over it.
export async function look_for_covered(page, name) {
  const covered = await page.evaluate(() => {
    const found = [];
    for (const option of document.querySelectorAll(".asked .option")) {
      let { left, right, top, bottom } = option.getBoundingClientRect();
      for (const around of [option.closest(".options"), option.closest(".ask"), document.documentElement]) {
        const box = around === document.documentElement ? { left: 0, right: innerWidth, top: 0, bottom: innerHeight } : around.getBoundingClientRect();
        [left, right, top, bottom] = [Math.max(left, box.left), Math.min(right, box.right), Math.max(top, box.top), Math.min(bottom, box.bottom)];
      }
      if (right - left < 8 || bottom - top < 8) continue;
      for (const y of [top + 4, bottom - 4])
        if (!option.contains(document.elementFromPoint((left + right) / 2, y))) found.push(option.textContent);
    }
    return found;
  });
  for (const option of covered) findings.push(`${name}: something lies over ${option}`);
}

export async function sit(browser, link, name, device, locale = "en") {
  const context = await browser.newContext({ ...device, locale });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  page.foreign = [];
  page.on("request", (request) => {
    const host = new URL(request.url()).host;
    if (host && host !== new URL(link).host) page.foreign.push(request.url());
  });
  page.on("pageerror", (error) => findings.push(`${name}: ${error}`));
  page.on("console", (message) => {
    if (message.type() === "error" && !page.is_lost) findings.push(`${name}: ${message.text()}`);
  });
  await page.goto(link);
  return page;
}

export async function take_seat(page, name) {
  await page.fill(".sit input", name);
  await page.click(".sit button");
}

export const is_over = (page) => page.locator(".end").isVisible();

// Goes to a button as people do who have keys alone: arrows from choice to choice, Tab to all else.
async function reach(page, button) {
  for (let presses = 0; presses < 400; ++presses) {
    const key = await button.evaluate((goal) => {
      const at = document.activeElement ?? document.body;
      if (at === goal) return "";
      if (goal.closest(".options")?.contains(at)) return "ArrowRight";
      return at.compareDocumentPosition(goal) & Node.DOCUMENT_POSITION_PRECEDING ? "Shift+Tab" : "Tab";
    });
    if (!key) return;
    await page.keyboard.press(key);
  }
  findings.push(`a button cannot be reached by keys: ${await button.textContent()}`);
}

// Answers what the page is asked, if it is: by taps, or by keys alone. What was done, or nothing.
export async function answer(page, random, keys = false) {
  const press = async (button) => {
    if (!keys) return button.click();
    await reach(page, button);
    await page.keyboard.press("Enter");
  };
  const asked = page.locator(".asked");
  if (!(await asked.isVisible())) {
    const go = page.locator(".ask:not(.asked) > .main:not([disabled])");
    if (!(await go.isVisible())) return "";
    await press(go);
    return "go";
  }
  const heading = await asked.locator("h2").textContent();
  const question = await asked.getAttribute("data-q");
  // Until it was heard: what is asked is another thing, or nothing, or it was refused; or, where that is enough, until it is marked.
  const heard = (marked) =>
    page.waitForFunction(([q, enough]) => {
      const now = document.querySelector(".asked");
      return !now || now.dataset.q !== q || now.querySelector(".notice").textContent || (enough && now.querySelector(".main"));
    }, [question, marked]);
  const options = asked.locator(".options button:not([disabled])");
  const count = await options.count();
  if (count === 0) return "";
  const main = asked.locator(".main");
  if (!(await main.isVisible())) {
    await press(options.nth(Math.floor(random() * count)));
    await heard(true);
    return heading;
  }
  const counted = /(\d+)\)/.exec(await main.textContent());
  if (!counted) {
    // One is marked, and asked about once more.
    await press(main);
    await heard(false);
    return heading;
  }
  const most = Number(counted[1]);
  const order = Array.from({ length: count }, (_, i) => i).sort(() => random() - 0.5);
  for (let i = 0; i < Math.min(most, count) && !(await main.isEnabled()); ++i) await press(options.nth(order[i]));
  await press(main);
  await heard(false);
  return heading;
}
