// A server with its links.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

export const fresh_folder = () => mkdtempSync(join(tmpdir(), "houserule-web-"));

// Starts `houserule serve` and reads its links.
export const serve = (game, ...options) => serve_from(fresh_folder(), game, ...options);

// The same for a table that is kept in that folder. `stop` leaves the folder, `close` does not.
export async function serve_from(folder, game, ...options) {
  const server = spawn(process.env.HOUSERULE, ["--lang", "en", "serve", game, "--port", "0", "--dir", folder, ...options]);
  let printed = "";
  server.stderr.on("data", (data) => process.stderr.write(data));
  await new Promise((done, failed) => {
    server.stdout.on("data", (data) => {
      printed += data;
      if (printed.includes("is kept in")) done();
    });
    server.on("exit", (code) => failed(new Error(`the server ended with ${code}: ${printed}`)));
  });
  const links = {};
  for (const [, who, link] of printed.matchAll(/for (?:the )?(\w+): (http\S+)/g)) links[who] = link;
  links.watch = /look on: (http\S+)/.exec(printed)?.[1];
  const stop = async () => {
    server.removeAllListeners("exit");
    const ended = new Promise((done) => server.on("exit", done));
    server.kill("SIGINT");
    await ended;
  };
  const close = async () => {
    await stop();
    rmSync(folder, { recursive: true, force: true });
  };
  return { links, stop, close, folder, server };
}

export function random_numbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 4294967296;
  };
}
