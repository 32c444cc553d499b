// The connection: one WebSocket, made again whenever it is cut, which goes on where it stopped.
import { batch } from "@preact/signals";
import { book, eyes, game, handed, hint, lines, link, links, news, notice, sending, table, turn, why, you } from "./state";

interface Move { t: "move"; q: string; id: string; m?: number; values?: number[] }

let socket: WebSocket | null = null;
let wait = 500;
let timer = 0;
let pending: Move | null = null;

// The token stands behind `#`, which reaches no server and no log; then in this tab alone.
function token(): string {
  const found = /(?:seat|host|watch)=([0-9a-f]{32})/.exec(location.hash);
  try {
    if (found) sessionStorage.setItem("token", found[1]);
    if (found) history.replaceState(null, "", location.pathname);
    return sessionStorage.getItem("token") ?? "";
  } catch {
    return found ? found[1] : "";
  }
}

const own = token();
addEventListener("hashchange", () => location.reload());

export function send(message: object) {
  if (socket?.readyState === WebSocket.OPEN) socket.send(JSON.stringify(message));
}

const fresh = () => Array.from(crypto.getRandomValues(new Uint8Array(12)), (b) => b.toString(16).padStart(2, "0")).join("");

// Said again after a cut, with the same id: twice does nothing.
export function move(what: { q: string; m?: number; values?: number[] }) {
  pending = { t: "move", id: fresh(), ...what };
  sending.value = true;
  notice.value = "";
  send(pending);
}

function told(message: any) {
  switch (message.t) {
    case "you":
      if (message.last === 0) lines.value = [];
      if (you.value && you.value.run !== message.run) {
        // Another game, or another run of the server: what was asked is asked no more.
        pending = null;
        sending.value = false;
        hint.value = null;
        why.value = null;
        eyes.value = null;
        news.value = null;
        notice.value = "";
      }
      if (hint.value === "thinking") hint.value = null;  // a cut ends it
      you.value = message;
      link.value = "open";
      if (pending) send(pending);
      break;
    case "game":
      if (game.value?.setup) book.value = turn.value = null;  // it may be set up otherwise
      game.value = message;
      break;
    case "table":
      // The end, with the log in it, is told once.
      table.value = message.phase === "playing" || message.end ? message : { ...message, end: table.value?.end };
      break;
    case "host":
      links.value = message.links;
      break;
    case "news":
      lines.value = [...lines.value.slice(0, message.from), ...message.lines];
      if (message.ask?.q !== news.value?.ask?.q) {
        if (hint.value !== "thinking") hint.value = null;
        why.value = null;
      }
      news.value = message;
      break;
    case "hint":
      if (hint.value === "thinking") hint.value = message;
      break;
    case "why":
      if (why.value?.k === message.k) why.value = message;
      break;
    case "eyes":
      eyes.value = message.steps ? message : eyes.value?.of === message.of ? { ...eyes.value, ...message } : eyes.value;
      break;
    case "book":
      book.value = message.book;
      break;
    case "machine":
      turn.value = message.machine;
      break;
    case "handed":
      handed.value = message.token;
      break;
    case "done":
    case "refused":
      if (message.why === "token") {
        link.value = "refused";
        break;
      }
      if (!message.id || message.id === pending?.id) {
        pending = null;
        sending.value = false;
      }
      if (message.t === "refused" && !message.id) {
        if (hint.value === "thinking") hint.value = null;
        if (why.value && !why.value.text) why.value = null;
      }
      notice.value = message.t === "refused" ? message.why : "";
      break;
  }
}

function connect() {
  clearTimeout(timer);
  if (!own) return void (link.value = "none");
  if (socket && socket.readyState <= WebSocket.OPEN) return;
  if (link.value === "refused") return;
  const early = window.early && window.early.readyState <= WebSocket.OPEN ? window.early : null;
  const mine = (socket = early ?? new WebSocket(`ws://${location.host}/table`));
  window.early = undefined;
  const opened = () => {
    wait = 500;
    send({ t: "hello", token: own, run: you.value?.run, last: lines.value.length });
  };
  if (mine.readyState === WebSocket.OPEN) opened();
  else mine.onopen = opened;
  mine.onmessage = (event) => batch(() => told(JSON.parse(event.data)));
  mine.onclose = () => {
    if (socket !== mine || link.value === "refused") return;
    link.value = you.value ? "cut" : "connecting";
    timer = setTimeout(connect, wait + Math.random() * wait);
    wait = Math.min(8000, wait * 2);
  };
}

export function begin() {
  connect();
  const again = () => {
    if (document.visibilityState === "visible") {
      wait = 500;
      connect();
    }
  };
  document.addEventListener("visibilitychange", again);
  addEventListener("pageshow", again);
  addEventListener("online", again);
}
