// Every shipped game's rulebook printed by a real browser: nothing cut off or torn apart, and no English on Japanese pages.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

// Width and height of the sheets and their margins, in millimetres.
const papers = { a4: { size: [210, 297], margin: [20, 18] }, a5: { size: [148, 210], margin: [16, 12] } };
const pixels = (mm) => Math.floor((mm * 96) / 25.4);
const points = (mm) => (mm * 72) / 25.4;

// What a Japanese file itself writes in Latin letters.
function latin_words(file) {
  const words = new Set();
  for (const [, body] of readFileSync(file, "utf8").matchAll(/^(?:labels|texts) ja \{(.*?)^\}/gms))
    for (const [, text] of body.matchAll(/(?:\w+|"[^"]*")\s+"([^"]*)"/g)) for (const word of text.match(/[A-Za-z]{2,}/g) ?? []) words.add(word);
  return words;
}

// Texts that do not fit into their boxes, or stand out of the sheet.
const cut = () => {
  const found = [];
  const width = document.documentElement.clientWidth;
  for (const e of document.querySelectorAll("body *")) {
    const box = e.getBoundingClientRect();
    if (box.right > width + 1 || box.left < -1) found.push(e.textContent.trim().slice(0, 60));
    if (getComputedStyle(e).display !== "inline" && e.scrollWidth > e.clientWidth + 2) found.push(e.textContent.trim().slice(0, 60));
  }
  return found;
};

// The lines of each page, from top to bottom, with their places.
function lines_of(pdf) {
  const text = execFileSync("pdftotext", ["-bbox-layout", pdf, "-"], { encoding: "utf8", maxBuffer: 1 << 26 });
  return text.split("<page ").slice(1).map((page) => {
    const [, width, height] = /width="([\d.]+)" height="([\d.]+)"/.exec(page);
    const lines = [...page.matchAll(/<line xMin="([\d.-]+)" yMin="([\d.-]+)" xMax="([\d.-]+)" yMax="([\d.-]+)">(.*?)<\/line>/gs)];
    const words = (line) => [...line.matchAll(/>([^<\n]+)<\/word>/g)].map(([, word]) => plain(word)).join(" ");
    return {
      width: Number(width),
      height: Number(height),
      lines: lines.map(([, left, top, right, bottom, line]) => ({ left: +left, top: +top, right: +right, bottom: +bottom, text: words(line) })).sort((a, b) => a.top - b.top),
    };
  });
}

const plain = (text) => text.replace(/&(?:lt|gt|quot|apos|#39|amp);/g, (code) => ({ "&lt;": "<", "&gt;": ">", "&quot;": '"', "&apos;": "'", "&#39;": "'", "&amp;": "&" })[code]);
const bare = (text) => text.replace(/\s/g, "");

// One page of a game: what is wrong with it, and how many sheets it has.
async function print(browser, game, file, language, paper, folder) {
  const { size, margin } = papers[paper];
  const html = execFileSync(process.env.HOUSERULE, ["--lang", language, "rulebook", game, "--format", "html", "--paper", paper], { encoding: "utf8", maxBuffer: 1 << 26 });
  const page = await browser.newPage({ viewport: { width: pixels(size[0] - 2 * margin[1]), height: 900 } });
  await page.emulateMedia({ media: "print" });
  await page.setContent(html);
  const found = (await page.evaluate(cut)).map((text) => `cut off: ${text}`);
  const headings = new Set(await page.$$eval("h2, h3, h4", (all) => all.map((e) => e.textContent.replace(/\s/g, ""))));
  const seen = await page.evaluate(() => document.body.innerText);
  const pdf = join(folder, `${game}-${language}-${paper}.pdf`);
  writeFileSync(pdf, await page.pdf({ preferCSSPageSize: true, printBackground: true }));
  await page.close();
  const sheets = lines_of(pdf);
  const title = bare(plain(/<title>(.*?)<\/title>/.exec(html)[1]));
  sheets.forEach((sheet, i) => {
    if (Math.abs(sheet.width - points(size[0])) > 2 || Math.abs(sheet.height - points(size[1])) > 2) found.push(`sheet ${i + 1} is no ${paper}`);
    const middle = (line) => (line.top + line.bottom) / 2;
    const body = sheet.lines.filter((l) => middle(l) > points(margin[0]) && middle(l) < sheet.height - points(margin[0]));
    const edge = sheet.lines.filter((l) => !body.includes(l)).map((l) => l.text);
    if (i > 0 && !edge.includes(String(i + 1))) found.push(`sheet ${i + 1} has no number`);
    if (i > 0 && !edge.some((text) => bare(text) === title)) found.push(`sheet ${i + 1} has no title`);
    for (const line of body) if (line.right > sheet.width - points(margin[1]) + 8 || line.left < points(margin[1]) - 12) found.push(`sheet ${i + 1}: out of the margins: ${line.text}`);
    const last = body.at(-1);
    // The cover ends with the contents.
    if (i > 0 && last && headings.has(bare(last.text))) found.push(`sheet ${i + 1} ends with a heading: ${last.text}`);
    if (!last) found.push(`sheet ${i + 1} is empty`);
  });
  if (language === "ja") {
    const own = latin_words(file);
    const english = new Set((seen.match(/[A-Za-z_]{2,}/g) ?? []).filter((word) => !own.has(word)));
    if (english.size) found.push(`English: ${[...english].join(", ")}`);
  }
  return { found, sheets: sheets.length };
}

// Prints all of them; gives what is wrong.
export async function print_rulebooks(browser, games) {
  const folder = mkdtempSync(join(tmpdir(), "houserule-book-"));
  const found = [];
  for (const name of readdirSync(games).filter((file) => file.endsWith(".rules")).sort()) {
    const game = name.slice(0, -".rules".length);
    const sheets = [];
    for (const language of ["en", "ja"]) {
      for (const paper of ["a4", "a5"]) {
        const printed = await print(browser, game, join(games, name), language, paper, folder);
        sheets.push(printed.sheets);
        for (const what of printed.found) found.push(`rulebook ${game}, ${language}, ${paper}: ${what}`);
      }
    }
    console.log(`rulebook ${game}: ${sheets.join(", ")} sheets`);
  }
  rmSync(folder, { recursive: true });
  return found;
}
