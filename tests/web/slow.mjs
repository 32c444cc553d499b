// How soon a phone with a slow network and a slow processor shows something, and when its owner can play.
import { patience, phone } from "./table.mjs";
import { serve } from "./server.mjs";

const network = { offline: false, latency: 562.5, downloadThroughput: (1.6e6 / 8) * 0.9, uploadThroughput: (750e3 / 8) * 0.9 };  // Chromium's Slow 4G
const slower = 4;
const most_bytes = 60000;

// What is missing of what is wanted.
export async function look_at_slow_phone(browser) {
  const table = await serve("cogito", "--players", "2", "--seed", "3", "--pace", "0", "--seat", "2=random");
  const found = [];
  // Its seat is taken, so that the next page comes to a game.
  const first = await browser.newContext({ ...phone });
  first.setDefaultTimeout(patience);
  const sitting = await first.newPage();
  await sitting.goto(table.links.P1);
  await sitting.fill(".sit input", "Ana");
  await sitting.click(".sit button");
  await sitting.waitForSelector(".asked");
  await first.close();

  const context = await browser.newContext({ ...phone });
  context.setDefaultTimeout(patience);
  const page = await context.newPage();
  const devtools = await context.newCDPSession(page);
  await devtools.send("Network.enable");
  await devtools.send("Network.emulateNetworkConditions", network);
  await devtools.send("Emulation.setCPUThrottlingRate", { rate: slower });
  let bytes = 0;
  devtools.on("Network.loadingFinished", (file) => { bytes += file.encodedDataLength; });
  await page.addInitScript(() => {
    const look = () => {
      if (document.querySelector(".asked .option, .asked .main")) window.ready = performance.now();
      else requestAnimationFrame(look);
    };
    look();
  });
  await page.goto(table.links.P1);
  await page.waitForFunction(() => window.ready);
  const paint = await page.evaluate(() => performance.getEntriesByName("first-contentful-paint")[0]?.startTime ?? performance.getEntriesByType("paint")[0]?.startTime);
  const ready = await page.evaluate(() => window.ready);
  const begun = Date.now();
  await page.locator(".asked .option").first().click();
  const clicked = Date.now() - begun;
  console.log(`slow 4G, processor ${slower} times slower: first paint ${Math.round(paint)} ms, own cards can be chosen after ${Math.round(ready)} ms, a tap takes ${clicked} ms; the page is ${bytes} bytes on the wire`);
  if (!(paint > 0)) found.push("a slow phone shows nothing");
  if (bytes > most_bytes) found.push(`the page is ${bytes} bytes`);
  await context.close();
  await table.close();
  return found;
}
