// A page without a browser: a WebSocket on a plain socket, for crowds of them.
import { randomBytes } from "node:crypto";
import { connect } from "node:net";

const masked = (text, opcode = 1) => {
  const data = Buffer.from(text);
  const mask = randomBytes(4);
  const head = data.length < 126 ? [0x80 | opcode, 0x80 | data.length] : [0x80 | opcode, 0x80 | 126, data.length >> 8, data.length & 255];
  for (let i = 0; i < data.length; ++i) data[i] ^= mask[i % 4];
  return Buffer.concat([Buffer.from(head), mask, data]);
};

export class Peer {
  // `link` as the server prints it. `hear` is called with each frame that comes (null: nobody looks at them), `gone` once it is over.
  constructor(link, hear = null, gone = () => {}) {
    const url = new URL(link);
    this.token = url.hash.split("=")[1];
    this.hear = hear;
    this.buffer = Buffer.alloc(0);
    this.parts = [];
    this.open = new Promise((opened, failed) => {
      this.opened = opened;
      this.socket = connect(Number(url.port), "127.0.0.1", () => {
        this.socket.setNoDelay(true);
        this.socket.write(
          `GET /table HTTP/1.1\r\nHost: localhost:${url.port}\r\nOrigin: http://localhost:${url.port}\r\nConnection: Upgrade\r\n` +
            `Upgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: ${randomBytes(16).toString("base64")}\r\n\r\n`,
        );
      });
      this.socket.on("error", failed);
      this.socket.on("close", () => {
        this.closed = true;
        failed(new Error("closed"));
        gone();
      });
    });
    this.open.catch(() => {});
    this.socket.on("data", (data) => this.read(data));
  }

  read(data) {
    this.buffer = this.buffer.length ? Buffer.concat([this.buffer, data]) : data;
    if (this.opened) {
      const end = this.buffer.indexOf("\r\n\r\n");
      if (end < 0) return;
      if (!this.buffer.subarray(0, end).toString().startsWith("HTTP/1.1 101")) return this.socket.destroy();
      this.buffer = this.buffer.subarray(end + 4);
      this.opened();
      this.opened = null;
    }
    for (;;) {
      if (this.buffer.length < 2) return;
      let length = this.buffer[1];
      let at = 2;
      if (length === 126) [length, at] = [this.buffer.length < 4 ? Infinity : this.buffer.readUInt16BE(2), 4];
      else if (length === 127) [length, at] = [this.buffer.length < 10 ? Infinity : Number(this.buffer.readBigUInt64BE(2)), 10];
      if (this.buffer.length < at + length) return;
      const opcode = this.buffer[0] & 15;
      const is_last = (this.buffer[0] & 128) !== 0;
      const body = this.buffer.subarray(at, at + length);
      this.buffer = this.buffer.subarray(at + length);
      if (opcode === 9) this.socket.write(masked(body, 10));
      else if (opcode === 8) return this.socket.destroy();
      else {
        this.parts.push(body);
        if (!is_last) continue;
        const text = Buffer.concat(this.parts).toString();
        this.parts = [];
        this.hear?.(JSON.parse(text));
      }
    }
  }

  say(message) {
    this.socket.write(masked(JSON.stringify(message)));
  }
  hello(run, last = 0) {
    this.say({ t: "hello", token: this.token, run, last });
  }
  close() {
    this.socket.destroy();
  }
}

// What somebody answers who takes any choice.
export function any_answer(ask, random) {
  const pick = (list) => list[Math.floor(random() * list.length)];
  if (ask.options) return { m: pick(ask.options).m };
  const copies = ask.several.values.flatMap((value) => Array(value.most).fill(value.v));
  const { low } = ask.several;
  const high = Math.min(ask.several.high, copies.length);
  const values = [];
  for (let left = low + Math.floor(random() * (high - low + 1)); left > 0; --left) values.push(...copies.splice(Math.floor(random() * copies.length), 1));
  return { values };
}

// A person who plays on and on, thinking `think()` ms before each answer; called with the time from each answer are `taken(ms)` when it is
// done and written, `seen(ms)` at the first frame that tells what came of it, and `told(ms)` at the last: the next question, or the end.
export class Player {
  constructor(link, { random, think, told = () => {}, seen = () => {}, taken = () => {} }) {
    Object.assign(this, { link, random, think, told, seen, taken, lines: 0, moves: 0, games: 0, faults: [], run: undefined, asked: "", phase: "" });
    this.connect();
  }
  connect() {
    this.peer = new Peer(this.link, (frame) => this.hear(frame), () => { if (!this.over) this.again = setTimeout(() => this.connect(), 20); });
    this.ready = this.peer.open.then(() => this.peer.hello(this.run, this.lines));
    this.ready.catch(() => {});
  }
  // The connection is lost, and comes back.
  cut() {
    this.sent = this.unseen = 0;
    this.asked = "";
    this.peer.close();
  }
  hear(frame) {
    const kinds = { you: this.you, news: this.news, table: this.table, refused: this.refused, done: this.done };
    kinds[frame.t]?.call(this, frame);
  }
  you(frame) {
    if (this.run !== frame.run) [this.run, this.lines] = [frame.run, 0];
    if (frame.last !== this.lines) this.faults.push(`has ${this.lines} lines, is told from ${frame.last} on`);
  }
  news(frame) {
    if (frame.from !== this.lines) this.faults.push(`has ${this.lines} lines, is told from ${frame.from} on`);
    this.lines = frame.from + frame.lines.length;
    if (frame.lines.length > 0) this.saw();
    if (frame.go) this.peer.say({ t: "go" });
    if (!frame.ask || frame.ask.chosen || frame.ask.q === this.asked) return;
    this.answered();
    this.asked = frame.ask.q;
    this.ask = frame.ask;
    this.answer();
  }
  answer() {
    const { peer } = this;
    this.timer = setTimeout(() => {
      // Who has lost the connection meanwhile is asked anew.
      if (peer !== this.peer || peer.closed || this.over) return;
      this.sent ||= performance.now();
      this.unseen = this.sent;
      ++this.moves;
      this.peer.say({ t: "move", q: this.asked, id: String(this.moves), ...any_answer(this.ask, this.random) });
    }, this.think());
  }
  done() {
    if (this.sent) this.taken(performance.now() - this.sent);
  }
  saw() {
    if (this.unseen) this.seen(performance.now() - this.unseen);
    this.unseen = 0;
  }
  answered() {
    this.saw();
    if (this.sent) this.told(performance.now() - this.sent);
    this.sent = 0;
  }
  refused(frame) {
    if (frame.why === "not_offered") {
      // Another choice, after thinking anew.
      this.sent = this.unseen = 0;
      return this.answer();
    }
    if (frame.why !== "stale") this.faults.push(`refused: ${frame.why}`);
  }
  table(frame) {
    if (frame.phase === "lobby" && this.phase !== "lobby") this.peer.say({ t: "sit", name: "" });
    if (frame.phase === "over" && this.phase !== "over") {
      this.answered();
      ++this.games;
      this.peer.say({ t: "again" });
    }
    if (frame.phase === "broken") this.faults.push("the game broke");
    this.phase = frame.phase;
  }
  stop() {
    this.over = true;
    clearTimeout(this.timer);
    clearTimeout(this.again);
    this.peer.close();
  }
}
