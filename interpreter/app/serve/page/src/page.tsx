// The page of one seat, of the host, or of who looks on.
import { effect } from "@preact/signals";
import { render } from "preact";
import { Ask } from "./ask";
import { TableView } from "./cards";
import { begin, send } from "./link";
import { Host, Lobby } from "./lobby";
import { game, lines, link, news, table, you } from "./state";
import { language, of, other_language, say } from "./words";

function Log() {
  const all = lines.value;
  return (
    <section class="log">
      <h2>{say("happened")}</h2>
      <ol reversed tabIndex={0} aria-label={say("happened")}>{all.map((line, i) => <li key={i}>{of(line)}</li>).reverse()}</ol>
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

function End() {
  const end = table.value!.end;
  if (!end) return null;
  return (
    <section class="end" role="status">
      <h2>{say(end.broken ? "broken" : "over")}</h2>
      {end.result ? of(end.result).trim().split("\n").map((line, i) => <p key={i}>{line}</p>) : null}
      {end.broken ? <p>{of(end.broken)} ({say("line")} {end.line})</p> : null}
      <Again />
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
      {playing ? <Ask /> : null}
      {news.value ? <TableView /> : null}
      <Log />
    </>
  );
}

function Page() {
  const last = lines.value.length > 0 ? of(lines.value[lines.value.length - 1]) : "";
  return (
    <>
      <header>
        <h1>{game.value ? of(game.value.name) : "Houserule"}</h1>
        <button type="button" class="quiet" lang={language.value === "en" ? "ja" : "en"} onClick={other_language}>{say("language")}</button>
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
