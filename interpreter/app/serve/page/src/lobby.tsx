// Before the game: who sits where. For the host also during it.
import { useSignal } from "@preact/signals";
import { seat_name } from "./cards";
import { send } from "./link";
import { game, links, notice, table, you } from "./state";
import { of, refusal, say } from "./words";

function Sit() {
  const name = useSignal("");
  const mine = table.value!.seats[you.value!.seat!];
  if (mine.ready) return <p class="wait">{say("waiting_for_others")}</p>;
  return (
    <form class="sit" onSubmit={(e) => { e.preventDefault(); notice.value = ""; send({ t: "sit", name: name.value }); }}>
      <label>{say("your_name")}
        <input value={name.value} maxLength={24} autocomplete="nickname" onInput={(e) => { name.value = e.currentTarget.value; }} />
      </label>
      <button type="submit" class="main">{say("sit")}</button>
    </form>
  );
}

function Link({ opens, label }: { opens: string; label: string }) {
  const copied = useSignal(false);
  const token = links.value[opens];
  const kind = opens === "watch" ? "watch" : "seat";
  const href = token ? `${location.origin}/#${kind}=${token}` : "";
  // A page of a local network may not use the clipboard; then what is to be copied is marked.
  const copy = (e: Event) => {
    const text = (e.currentTarget as HTMLElement).parentElement!.querySelector("a")!;
    const range = document.createRange();
    range.selectNodeContents(text);
    getSelection()?.removeAllRanges();
    getSelection()?.addRange(range);
    if (navigator.clipboard) void navigator.clipboard.writeText(href).then(() => { copied.value = true; });
    else copied.value = document.execCommand("copy");
  };
  return (
    <span class="link">
      {kind === "watch" ? <span class="for">{label}</span> : null}
      {token ? <a href={href} target="_blank" rel="noreferrer">{href}</a> : <em>{say("given")}</em>}
      {token ? <button type="button" class="quiet" onClick={copy}>{say(copied.value ? "copied" : "copy")}<span class="hidden"> {label}</span></button> : null}
      {kind === "seat" ? <button type="button" class="quiet" onClick={() => send({ t: "relink", seat: Number(opens) - 1 })}>{say("relink")}<span class="hidden"> {label}</span></button> : null}
    </span>
  );
}

export function Seats() {
  const host = you.value?.role === "host";
  return (
    <ul class="seats">
      {table.value!.seats.map((seat, i) => (
        <li key={i}>
          <b>{seat_name(i)}</b>
          {you.value?.seat === i ? <span class="badge">{say("you")}</span> : null}
          {host ? (
            <select aria-label={`${say("who_plays")}: ${seat_name(i)}`} value={seat.who} onChange={(e) => send({ t: "seat", seat: i, who: e.currentTarget.value })}>
              {(["human", "deduce", "random"] as const).map((who) => <option key={who} value={who}>{say(who)}</option>)}
            </select>
          ) : null}
          <span class="badge">
            {seat.who !== "human" ? say(seat.who) : table.value!.phase !== "lobby" ? say(seat.here ? "here" : "away") : say(seat.ready ? "ready" : "not_ready")}
          </span>
          {seat.left ? <span class="badge gone">{say("away")}</span> : null}
          {host && (seat.who === "human" || seat.left) ? <Link opens={String(i + 1)} label={seat_name(i)} /> : null}
          {host && seat.who === "human" && seat.here ? (
            <button type="button" class="quiet" onClick={() => { if (confirm(say("hand_sure"))) send({ t: "hand", seat: i }); }}>{say("hand")}<span class="hidden"> {seat_name(i)}</span></button>
          ) : null}
        </li>
      ))}
      {host ? <li><Link opens="watch" label={say("watch_link")} /></li> : null}
    </ul>
  );
}

const paces = [0, 500, 1000, 2000, 3000, 5000];

function Settings() {
  const now = table.value!;
  const all = paces.includes(now.pace) ? paces : [...paces, now.pace];
  return (
    <div class="settings">
      <label>{say("pace")}
        <select value={now.pace} onChange={(e) => send({ t: "set", pace: Number(e.currentTarget.value) })}>
          {all.map((ms) => <option key={ms} value={ms}>{ms === 0 ? say("pace_none") : `${ms / 1000} ${say("seconds")}`}</option>)}
        </select>
      </label>
      <label><input type="checkbox" checked={now.hints} onChange={(e) => send({ t: "set", hints: e.currentTarget.checked })} /> {say("hints_allowed")}</label>
      <label><input type="checkbox" checked={now.hints_shown} onChange={(e) => send({ t: "set", hints_shown: e.currentTarget.checked })} /> {say("hints_shown")}</label>
      {now.phase === "playing" ? (
        <button type="button" class="quiet end_game" onClick={() => { if (confirm(say("end_sure"))) send({ t: "end" }); }}>{say("end_game")}</button>
      ) : null}
    </div>
  );
}

// How many play, options, and how sentences are read that can be read in two ways. The host sets them; others see how they are set.
function Setup() {
  const setup = game.value!.setup;
  if (!setup || (setup.low === setup.high && setup.offers.length === 0)) return null;
  const counts = Array.from({ length: setup.high - setup.low + 1 }, (_, i) => setup.low + i);
  if (you.value!.role !== "host") {
    if (setup.offers.length === 0) return null;
    return (
      <details class="setup">
        <summary>{say("setup")}</summary>
        <dl>{setup.offers.map((o) => <div key={o.id}><dt>{of(o.text)}</dt><dd>{of(o.values.find((v) => v.v === o.now)!.n)}</dd></div>)}</dl>
      </details>
    );
  }
  return (
    <div class="setup">
      {counts.length > 1 ? (
        <label>{say("players")}
          <select value={game.value!.players} onChange={(e) => send({ t: "setup", players: Number(e.currentTarget.value) })}>
            {counts.map((n) => <option key={n} value={n}>{n}</option>)}
          </select>
        </label>
      ) : null}
      {setup.offers.length > 0 ? (
        <details>
          <summary>{say("setup")}</summary>
          {setup.offers.map((o) => (
            <label key={o.id}><span>{of(o.text)}</span>
              <select value={o.now} onChange={(e) => send({ t: "setup", name: o.id, value: e.currentTarget.value })}>
                {o.values.map((v) => <option key={v.v} value={v.v}>{of(v.n)}</option>)}
              </select>
            </label>
          ))}
        </details>
      ) : null}
    </div>
  );
}

export function Host() {
  if (table.value!.read_only) return null;
  return (
    <section class="host">
      <h2>{say("host")}</h2>
      {table.value!.phase === "lobby" ? <Setup /> : null}
      <p>{say("links")}</p>
      <Seats />
      <Settings />
      {table.value!.phase === "lobby" || table.value!.phase === "over" ? (
        <button type="button" class="main" onClick={() => send({ t: "start" })}>{say(table.value!.phase === "over" ? "again" : "start")}</button>
      ) : null}
      <p class="notice" role="alert">{notice.value ? refusal(notice.value) : ""}</p>
    </section>
  );
}

export function Lobby() {
  if (you.value!.role === "host" && !of(game.value!.text)) return null;
  return (
    <section class="lobby">
      <p class="about">{of(game.value!.text)}</p>
      {you.value!.role === "host" ? null : <Setup />}
      {you.value!.role === "seat" ? <Sit /> : null}
      {you.value!.role === "watch" ? <p class="wait">{say("waiting_for_others")}</p> : null}
      {you.value!.role === "host" ? null : <Seats />}
      {you.value!.role === "host" ? null : <p class="notice" role="alert">{notice.value ? refusal(notice.value) : ""}</p>}
    </section>
  );
}
