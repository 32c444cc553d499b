// The same page in other browsers: one is driven by Marionette, one by WebDriver. Each joins a table and plays a game to its end.
import { spawn, spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { serve } from "./server.mjs";

const pictures = process.env.PICTURES;
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
const element = "element-6066-11e4-a52e-4f735466cecf";

async function patiently(what, seconds, job) {
  for (const end = Date.now() + seconds * 1000; ; await wait(150)) {
    const found = await job();
    if (found) return found;
    if (Date.now() > end) throw new Error(`${what} did not come in ${seconds} s`);
  }
}

// Marionette: [type, number, command or error, parameters or result], each with its length before it.
class Firefox {
  name = "firefox-esr";
  async start() {
    this.profile = mkdtempSync(join(tmpdir(), "houserule-firefox-"));
    this.port = 28000 + (process.pid % 1000);
    writeFileSync(join(this.profile, "user.js"), `user_pref("marionette.port", ${this.port});\nuser_pref("app.update.enabled", false);\nuser_pref("network.captive-portal-service.enabled", false);\nuser_pref("network.connectivity-service.enabled", false);\n`);
    this.process = spawn("firefox-esr", ["--headless", "--marionette", "--no-remote", "--profile", this.profile], {
      stdio: "ignore",
      env: { ...process.env, HOME: this.profile },
    });
    this.waiting = new Map();
    this.number = 0;
    let text = Buffer.alloc(0);
    this.socket = await patiently("Firefox", 90, () => new Promise((done) => {
      const socket = connect(this.port, "127.0.0.1", () => done(socket));
      socket.on("error", () => done(null));
    }));
    this.socket.on("data", (data) => {
      text = Buffer.concat([text, data]);
      for (;;) {
        const colon = text.indexOf(":");
        const length = Number(text.subarray(0, colon));
        if (colon < 0 || text.length < colon + 1 + length) return;
        const message = JSON.parse(text.subarray(colon + 1, colon + 1 + length));
        text = text.subarray(colon + 1 + length);
        if (Array.isArray(message)) this.waiting.get(message[1])?.(message);
      }
    });
    const session = await this.ask("WebDriver:NewSession", {});
    this.version = session.capabilities.browserVersion;
  }
  ask(command, parameters) {
    const text = JSON.stringify([0, ++this.number, command, parameters]);
    this.socket.write(`${Buffer.byteLength(text)}:${text}`);
    return new Promise((done, failed) => {
      this.waiting.set(this.number, ([, , error, result]) => (error ? failed(new Error(`${command}: ${error.message}`)) : done(result)));
    });
  }
  go = (url) => this.ask("WebDriver:Navigate", { url });
  find = async (css) => (await this.ask("WebDriver:FindElements", { using: "css selector", value: css })).map((one) => one[element]);
  click = (id) => this.ask("WebDriver:ElementClick", { id });
  type = (id, text) => this.ask("WebDriver:ElementSendKeys", { id, text });
  text = async (id) => (await this.ask("WebDriver:GetElementText", { id })).value;
  picture = async () => (await this.ask("WebDriver:TakeScreenshot", { full: false })).value;
  async stop() {
    this.socket?.destroy();
    this.process.kill();
    await new Promise((done) => (this.process.exitCode !== null ? done() : this.process.on("exit", done)));
    rmSync(this.profile, { recursive: true, force: true });
  }
}

class WebKit {
  name = "WebKitGTK";
  browser = "/usr/lib/x86_64-linux-gnu/webkit2gtk-4.1/MiniBrowser";
  async start() {
    this.port = 29000 + (process.pid % 1000);
    this.display = `:${100 + (process.pid % 400)}`;
    this.screen = spawn("Xvfb", [this.display, "-screen", "0", "1200x860x24", "-nolisten", "tcp"], { stdio: "ignore" });
    await wait(1500);
    this.process = spawn("WebKitWebDriver", [`--port=${this.port}`], {
      stdio: "ignore",
      env: { ...process.env, DISPLAY: this.display, LIBGL_ALWAYS_SOFTWARE: "1" },
    });
    await patiently("WebKit's driver", 30, () => fetch(`http://127.0.0.1:${this.port}/status`).catch(() => null));
    const options = { binary: this.browser, args: ["--automation"] };
    const session = await this.ask("POST", "", { capabilities: { alwaysMatch: { "webkitgtk:browserOptions": options } } });
    this.session = `/${session.sessionId}`;
    this.version = session.capabilities.browserVersion;
  }
  async ask(method, path, body) {
    const answer = await fetch(`http://127.0.0.1:${this.port}/session${this.session ?? ""}${path}`, { method, body: body && JSON.stringify(body) });
    const { value } = await answer.json();
    if (!answer.ok) throw new Error(`${path}: ${value.message ?? value.error}`);
    return value;
  }
  go = (url) => this.ask("POST", "/url", { url });
  find = async (css) => (await this.ask("POST", "/elements", { using: "css selector", value: css })).map((one) => one[element]);
  click = (id) => this.ask("POST", `/element/${id}/click`, {});
  type = (id, text) => this.ask("POST", `/element/${id}/value`, { text });
  text = (id) => this.ask("GET", `/element/${id}/text`);
  picture = () => this.ask("GET", "/screenshot");
  async stop() {
    if (this.session) await this.ask("DELETE", "").catch(() => {});
    this.process?.kill();
    this.screen?.kill();
  }
}

async function play(browser) {
  const table = await serve("kuhn", "--players", "2", "--seed", "4", "--pace", "0", "--seat", "2=random");
  let answers = 0;
  try {
    await browser.start();
    await browser.go(table.links.P1);
    const first = async (css) => (await browser.find(css))[0];
    const name = await patiently("the seat", 60, () => first(".sit input"));
    await browser.type(name, "Zoë 健");
    await browser.click(await first(".sit button"));
    let over = false;
    let last = "";
    while (!over) {
      await patiently("a question or the end", 60, async () => {
        over = (await browser.find(".end")).length > 0;
        const lines = (await browser.find(".log li")).length;
        return over || ((await browser.find(".asked .option")).length > 0 && `${lines}` !== last);
      });
      if (over) break;
      if (pictures && answers === 0) writeFileSync(`${pictures}/${browser.name}.png`, Buffer.from(await browser.picture(), "base64"));
      last = `${(await browser.find(".log li")).length}`;
      await browser.click(await first(".asked .option"));
      ++answers;
    }
    const log = await browser.text((await browser.find(".log li")).at(-1));
    if (answers === 0 || !log) throw new Error("nothing was played");
    console.log(`${browser.name} ${browser.version}: joined and played to the end, ${answers} answers`);
    return true;
  } catch (error) {
    console.log(`FAILED: ${browser.name} ${browser.version ?? ""}: ${error.message}`);
    return false;
  } finally {
    await browser.stop();
    await table.close();
  }
}

const is_here = (program) => spawnSync("sh", ["-c", `command -v ${program}`]).status === 0;
let good = true;
for (const [browser, programs] of [[new Firefox(), ["firefox-esr"]], [new WebKit(), ["WebKitWebDriver", "Xvfb"]]]) {
  if (!programs.every(is_here) || (browser.browser && !existsSync(browser.browser))) console.log(`${browser.name}: not installed here`);
  else good = (await play(browser)) && good;
}
process.exit(good ? 0 : 1);
