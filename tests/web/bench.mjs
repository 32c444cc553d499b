// What tables in the browser cost: how long people wait, how much memory they take. Nothing here needs a browser.
//
//   node bench.mjs [--tables N] [--deducing N] [--seconds S] [--idle N] [--soak MINUTES]
import { readFileSync } from "node:fs";
import { loadavg } from "node:os";
import { parseArgs } from "node:util";
import { Peer, Player } from "./peer.mjs";
import { random_numbers, serve } from "./server.mjs";

const { values: options } = parseArgs({
  options: {
    tables: { type: "string", default: "200" },
    deducing: { type: "string", default: "100" },
    seconds: { type: "string", default: "30" },
    idle: { type: "string", default: "5000" },
    soak: { type: "string", default: "0" },
  },
});
const tables_wanted = Number(options.tables);
const seconds = Number(options.seconds);
const connections_a_table = 500;
const random = random_numbers(11);
const wait = (ms) => new Promise((done) => setTimeout(done, ms));
let faults = 0;

const at = (sorted, share) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))];
const times = (ms) => {
  if (ms.length === 0) return "none came in that time";
  const sorted = Float64Array.from(ms).sort();
  const text = (share) => `${at(sorted, share)?.toFixed(1)} ms`;
  return `${ms.length} times: median ${text(0.5)}, p95 ${text(0.95)}, p99 ${text(0.99)}, most ${text(1)}`;
};
const megabytes = (kb) => `${(kb / 1024).toFixed(1)} MB`;
// Memory of its own, with its share of what processes share, in kB.
const memory = (table) => Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${table.server.pid}/smaps_rollup`, "utf8"))[1]);
const sum = (numbers) => numbers.reduce((a, b) => a + b, 0);
const print = (what, text) => console.log(`${what.padEnd(46)}${text}`);

// So many tables of their own, some at a time.
async function open_tables(count, ...args) {
  const tables = [];
  let seed = 0;
  const some = async () => { while (seed < count) tables.push(await serve(...args, "--seed", String(++seed), "--pace", "0")); };
  await Promise.all([some(), some(), some(), some()]);
  return tables;
}
const close_all = (tables) => Promise.all(tables.map((table) => table.close()));

// A person at each table who answers about once a second, and bots on the other seats.
async function crowd(what, count, seats, ...args) {
  const tables = await open_tables(count, ...args, ...seats);
  const after = { taken: [], seen: [], told: [] };
  let counts = false;
  const noting = (what) => (ms) => { if (counts) after[what].push(ms); };
  const players = [];
  for (const table of tables) {
    players.push(new Player(table.links.P1, { random, think: () => 500 + 1000 * random(), taken: noting("taken"), seen: noting("seen"), told: noting("told") }));
    await players.at(-1).ready;
  }
  await wait(2000);
  counts = true;
  await wait(seconds * 1000);
  counts = false;
  print(what, "from an answer of the person");
  print("  until it is done", times(after.taken));
  print("  until what came of it is shown", times(after.seen));
  print("  until the others have played too", times(after.told));
  print("  memory of a table", megabytes(sum(tables.map(memory)) / tables.length));
  report(players);
  for (const player of players) player.stop();
  await close_all(tables);
}

function report(players) {
  for (const fault of new Set(players.flatMap((player) => player.faults))) {
    console.log(`FAILED: ${fault}`);
    ++faults;
  }
}

// How long the server takes to answer anybody while it thinks about a hint for somebody.
async function stall_by_hints() {
  const table = await serve("cogito", "--players", "3", "--seed", "3", "--pace", "0", "--hints", "--seat", "2=random", "--seat", "3=random");
  let hints = 0;
  const player = new Player(table.links.P1, { random, think: () => 2500 });
  await player.ready;
  const table_of = player.hear.bind(player);
  player.peer.hear = (frame) => {
    table_of(frame);
    if (frame.t === "hint") ++hints;
    if (frame.t === "hint" || frame.t === "news") setTimeout(() => player.peer.say({ t: "hint" }), 100);
  };
  player.refused = () => {};
  const probe = async (ms) => {
    const found = [];
    const probes = Array.from({ length: 8 }, () => new Peer(table.links.watch));
    await Promise.all(probes.map((peer) => peer.open));
    for (const peer of probes) {
      peer.hello();
      peer.hear = (frame) => { if (frame.t === "refused") found.push(performance.now() - peer.said); };
    }
    for (const end = performance.now() + ms; performance.now() < end; await wait(60 + 20 * random()))
      for (const peer of probes) {
        peer.said = performance.now();
        peer.say({ t: "nothing" });
        await wait(1);
      }
    await wait(200);
    for (const peer of probes) peer.close();
    return found;
  };
  const found = await probe(Math.min(seconds, 20) * 1000);
  print("an answer while hints are worked out", `${times(found)}; ${hints} hints`);
  player.stop();
  await wait(500);
  print("  the same without hints", times(await probe(3000)));
  await table.close();
}

async function idle_connections(count) {
  const tables = await open_tables(Math.ceil(count / connections_a_table), "kuhn", "--players", "2");
  const before = sum(tables.map(memory));
  const begun = performance.now();
  const peers = [];
  for (let i = 0; i < count; ++i) {
    const peer = new Peer(tables[i % tables.length].links.watch);
    peers.push(peer);
    await peer.open;
    peer.hello();
  }
  const took = performance.now() - begun;
  await wait(2000);
  const lost = peers.filter((peer) => peer.closed).length;
  if (lost > 0) {
    console.log(`FAILED: ${lost} idle connections were closed`);
    ++faults;
  }
  const more = sum(tables.map(memory)) - before;
  print(`${count} idle connections`, `${megabytes(more)} more, ${((more * 1024) / count / 1000).toFixed(1)} kB each, open after ${(took / 1000).toFixed(1)} s`);
  for (const peer of peers) peer.close();
  await close_all(tables);
}

// Somebody who asks for long frames and reads none.
async function slow_reader() {
  const table = await serve("hearts", "--players", "4", "--seed", "5", "--pace", "0", "--seat", "2=random", "--seat", "3=random", "--seat", "4=random");
  const player = new Player(table.links.P1, { random, think: () => 200 });
  await player.ready;
  await wait(1000);
  const before = memory(table);
  let most = before;
  const begun = performance.now();
  const slow = new Peer(table.links.watch);
  await slow.open;
  slow.hello();
  slow.socket.pause();
  let asked = 0;
  slow.socket.on("error", () => { slow.closed = true; });
  while (!slow.closed && performance.now() - begun < 60000) {
    slow.say({ t: "book" });
    ++asked;
    most = Math.max(most, memory(table));
    await wait(60);
  }
  const after = (performance.now() - begun) / 1000;
  if (!slow.closed) {
    console.log("FAILED: a page that reads nothing stays connected");
    ++faults;
  }
  let heard = 0;
  const again = new Peer(table.links.watch, (frame) => { if (frame.t === "news") heard = frame.from + frame.lines.length; });
  await again.open;
  again.hello();
  await wait(500);
  print("a page that reads nothing", `closed after ${after.toFixed(1)} s and ${asked} long frames, ${megabytes(most - before)} at most; told ${heard} lines when it is back`);
  if (heard === 0) ++faults;
  again.close();
  report([player]);
  player.stop();
  await table.close();
}

// Games without end, with lost connections: whether memory grows.
async function soak(minutes) {
  const tables = await open_tables(8, "hearts", "--players", "4", "--hints", "--seat", "2=random", "--seat", "3=random", "--seat", "4=random");
  const players = tables.map((table) => new Player(table.links.P1, { random, think: () => 20 + 60 * random() }));
  const samples = [];
  for (const end = Date.now() + minutes * 60000; Date.now() < end; ) {
    for (let i = 0; i < 20; ++i) {
      await wait(Math.max(50, (minutes * 60000) / 1000));
      players[Math.floor(random() * players.length)].cut();
    }
    samples.push(sum(tables.map(memory)));
  }
  const part = (from, to) => sum(samples.slice(from, to)) / Math.max(1, to - from);
  const fifth = Math.max(1, Math.floor(samples.length / 5));
  const moves = sum(players.map((player) => player.moves));
  const games = sum(players.map((player) => player.games));
  print(`${minutes} minutes of ${tables.length} tables`, `${moves} answers, ${games} games; ${megabytes(part(fifth, 2 * fifth))} early, ${megabytes(part(samples.length - fifth, samples.length))} at the end`);
  report(players);
  for (const player of players) player.stop();
  await close_all(tables);
}

print("load of the machine before", loadavg().map((load) => load.toFixed(1)).join(" "));
if (Number(options.soak) > 0) await soak(Number(options.soak));
else {
  const bots = (kind) => ["--seat", `2=${kind}`, "--seat", `3=${kind}`, "--seat", `4=${kind}`];
  await crowd(`${tables_wanted} tables, a person and three random bots`, tables_wanted, bots("random"), "hearts", "--players", "4");
  // Where nobody chooses together with others; then where much is, which is shown when all have thought.
  const deducing = Number(options.deducing);
  await crowd(`${deducing} tables, a person and three deducing bots`, deducing, bots("deduce"), "agram", "--players", "4");
  const together = Math.ceil(deducing / 5);
  await crowd(`${together} tables where they choose together`, together, bots("deduce"), "cogito", "--players", "4");
  await stall_by_hints();
  await slow_reader();
  await idle_connections(Number(options.idle));
}
print("load of the machine after", loadavg().map((load) => load.toFixed(1)).join(" "));
process.exit(faults === 0 ? 0 : 1);
