// The page of one seat, of the host, or of who looks on.
import { effect } from "@preact/signals";
import { render } from "preact";
import { Ask, Left } from "./ask";
import { Rules } from "./book";
import { line_of, seat_name, TableView } from "./cards";
import { begin, send } from "./link";
import { Host, Lobby } from "./lobby";
import { eyes, game, handed, lines, link, news, table, you } from "./state";
import { language, of, other_language, say } from "./words";

function Log() {
  const again = eyes.value;
  const all = again ? again.lines.slice(0, again.steps[again.step] ?? 0) : lines.value;
  return (
    <section class="log">
      <h2>{say("happened")}</h2>
      <ol reversed tabIndex={0} aria-label={say("happened")}>{all.map((line, i) => <li key={i}>{line_of(line)}</li>).reverse()}</ol>
    </section>
  );
}

function save() {
  const end = table.value!.end!;
  const a = document.createElement("a");
  a.href = URL.createObjectURL(new Blob([end.log!], { type: "text/plain" }));
  a.download = end.name!;
  a.click();
  setTimeout(() => URL.revokeObjectURL(a.href), 10000);
}

// Another game, when all people want it.
function Again() {
  const me = you.value!.seat;
  if (table.value!.phase !== "over" || me === undefined) return null;
  const wanted = table.value!.seats[me].ready;
  return (
    <>
      <button type="button" class="main" aria-pressed={wanted} onClick={() => send({ t: "again", on: !wanted })}>{say("again")}</button>
      <p class="wait">{say("again_all")}</p>
    </>
  );
}

// The game that is over, step by step, as a seat was told it, or all.
function Again_seen() {
  const now = eyes.value;
  const show = (of: number, step?: number) => send(step === undefined ? { t: "eyes", of } : { t: "eyes", of, step });
  const seats = you.value!.role === "watch" ? [] : table.value!.seats.map((_, i) => i);
  const last = now ? now.steps.length - 1 : 0;
  const go = (step: number) => { if (now && step >= 0 && step <= last) show(now.of, step); };
  return (
    <div class="eyes">
      <label>{say("replay")}{" "}
        <select value={now ? String(now.of) : ""} onChange={(e) => { if (e.currentTarget.value === "") eyes.value = null; else show(Number(e.currentTarget.value)); }}>
          <option value="">{say("replay_off")}</option>
          <option value="-1">{say("replay_public")}</option>
          {seats.map((seat) => <option key={seat} value={seat}>{seat_name(seat)}</option>)}
        </select>
      </label>
      {now ? (
        <div class="steps" role="group" aria-label={say("replay")}>
          <button type="button" disabled={now.step === 0} onClick={() => go(0)} aria-label={say("step_first")}>|◀</button>
          <button type="button" disabled={now.step === 0} onClick={() => go(now.step - 1)} aria-label={say("step_back")}>◀</button>
          <input type="range" min="0" max={last} value={now.step} aria-label={say("step")} onChange={(e) => go(Number(e.currentTarget.value))} />
          <button type="button" disabled={now.step >= last} onClick={() => go(now.step + 1)} aria-label={say("step_on")}>▶</button>
          <span class="step">{now.step + 1} / {last + 1}</span>
        </div>
      ) : null}
    </div>
  );
}

function End() {
  const end = table.value!.end;
  if (!end) return null;
  return (
    <section class="end" role="status">
      <h2>{say(end.broken ? "broken" : end.changed ? "changed" : end.stopped ? "stopped" : "over")}</h2>
      {end.result ? of(end.result).trim().split("\n").map((line, i) => <p key={i}>{line}</p>) : null}
      {end.broken ? <p>{of(end.broken)} ({say("line")} {end.line})</p> : null}
      {table.value!.read_only ? null : <Again />}
      {end.changed ? null : <Again_seen />}
      {end.log ? <button type="button" class="save" onClick={save}>{say("download")}</button> : null}
    </section>
  );
}

function Body() {
  if (link.value === "none") return <p class="wait">{say("no_link")}</p>;
  if (link.value === "refused") return <p class="wait" role="alert">{say("token")}</p>;
  if (!game.value || !table.value || !you.value) return <p class="wait">{say("connecting")}</p>;
  const host = you.value.role === "host" ? <Host /> : null;
  if (table.value.phase === "lobby") return <>{host}<Lobby /></>;
  const playing = you.value.role === "seat" && table.value.phase === "playing";
  return (
    <>
      {host}
      {you.value.role === "watch" ? <p class="wait">{say("watching")}</p> : null}
      <End />
      {handed.value ? <p class="handed" role="status">{say("handed")} <a href={`${location.origin}/#host=${handed.value}`} target="_blank" rel="noreferrer">{say("host")}</a></p> : null}
      {playing ? (table.value.seats[you.value.seat!].left ? <Left /> : <Ask />) : null}
      {news.value ? <TableView /> : null}
      <Log />
    </>
  );
}

function Page() {
  const last = lines.value.length > 0 ? line_of(lines.value[lines.value.length - 1]) : "";
  return (
    <>
      <header>
        <h1>{game.value ? of(game.value.name) : "Houserule"}</h1>
        <Rules />
        <button type="button" class="quiet language" lang={language.value === "en" ? "ja" : "en"} onClick={other_language}>{say("language")}</button>
      </header>
      <main>
        {link.value === "cut" ? <p class="cut" role="alert">{say("cut")}</p> : null}
        <Body />
      </main>
      <p class="hidden" aria-live="polite">{last}</p>
    </>
  );
}

effect(() => {
  document.documentElement.lang = language.value;
  const name = game.value ? of(game.value.name) : "Houserule";
  document.title = news.value?.ask ? `● ${say("your_turn")} – ${name}` : name;
});
begin();
render(<Page />, document.getElementById("page")!);
