// What a seat is asked, and the acts that are open to it at any time.
import { useSignal } from "@preact/signals";
import { useEffect, useRef } from "preact/hooks";
import { Choice, Face, line_of, seat_name } from "./cards";
import { be_careful, careful, choose, copies_of, marked_option, marks, toggle } from "./choose";
import { move, send } from "./link";
import { game, hint, lines, news, notice, sending, table, why, you, type HintWords, type Question } from "./state";
import { number, of, refusal, say } from "./words";

const is_wide = () => matchMedia("(min-width: 40rem)").matches;  // room for whole rules

// Arrow keys go from one choice to the next.
function arrows(event: KeyboardEvent) {
  const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
  if (!step) return;
  const all = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLButtonElement>("button:not([disabled])")];
  const at = all.indexOf(document.activeElement as HTMLButtonElement);
  all[(at + step + all.length) % all.length]?.focus();
  event.preventDefault();
}

function Options({ ask }: { ask: Question }) {
  const marked = marked_option(ask);
  return (
    <>
      <div class="options" role="group" aria-label={of(ask.prompt)} onKeyDown={arrows}>
        {ask.options!.map((option) => (
          <button type="button" class="option" key={option.m} disabled={sending.value} aria-pressed={careful.value || marked || option.decides ? option === marked : undefined} onClick={() => choose(ask, option)}>
            <Choice value={option} />
          </button>
        ))}
      </div>
      {marked?.decides ? <p role="status">{say("decides")}</p> : null}
      {marked ? <button type="button" class="main" disabled={sending.value} onClick={() => move({ q: ask.q, m: marked.m })}>{say("choose")}: {of(marked.n)}</button> : null}
    </>
  );
}

// Several at once: each copy is taken or left, then all are said together.
function Several({ ask }: { ask: Question }) {
  const { low, high } = ask.several!;
  const copies = copies_of(ask);
  const taken = marks(ask);
  const chosen = copies.filter(([, key]) => taken.includes(key)).map(([v]) => v.v!);
  const fits = chosen.length >= low && chosen.length <= high;
  return (
    <>
      <div class="options" role="group" aria-label={of(ask.prompt)} onKeyDown={arrows}>
        {copies.map(([value, key]) => (
          <button type="button" class="option" key={key} aria-pressed={taken.includes(key)} onClick={() => toggle(ask, key)}>
            <Choice value={value} />
          </button>
        ))}
      </div>
      <button type="button" class="main" disabled={!fits || sending.value} onClick={() => move({ q: ask.q, values: chosen })}>
        {say("choose")} ({chosen.length} / {low === high ? low : `${low}–${high}`})
      </button>
    </>
  );
}

// Whether a tap on a choice says it at once.
function Careful() {
  const set = (event: { currentTarget: HTMLInputElement }) => be_careful(event.currentTarget.checked);
  return <label class="careful"><input type="checkbox" checked={careful.value} onChange={set} /> {say("careful")}</label>;
}

function Acts() {
  const wishes = news.value!.acts;
  const asked = useSignal<number | null>(null);  // an act that may decide the game: whether it is meant
  if (wishes.length === 0) return null;
  const act = (a: number) => { asked.value = null; send({ t: "act", a, on: !wishes[a] }); };
  const tap = (a: number) => { if (game.value!.acts[a].decides && !wishes[a]) asked.value = a; else act(a); };
  if (asked.value !== null)
    return (
      <div class="consent sure" role="alert">
        <p>{of(game.value!.acts[asked.value].n)}: {say("decides")}</p>
        <button type="button" class="main" onClick={() => act(asked.value!)}>{say("do_it")}</button>{" "}
        <button type="button" class="quiet" onClick={() => { asked.value = null; }}>{say("do_not")}</button>
      </div>
    );
  return (
    <div class="acts" role="group" aria-label={say("any_time")}>
      {wishes.map((wish, a) => {
        const { n, text } = game.value!.acts[a];
        return (
          <div class="may" key={a}>
            <button type="button" class="act" aria-pressed={wish} onClick={() => tap(a)}>
              {of(n)}{wish ? <small> – {say("wished")}</small> : null}
            </button>
            {of(text) ? <details class="rule" open={is_wide()}><summary>?<span class="hidden"> {of(n)}</span></summary>{of(text)}</details> : null}
          </div>
        );
      })}
    </div>
  );
}

// What each move would tell and bring: a table, and where there is no room for one a list.
function Moves({ moves }: { moves: NonNullable<HintWords["moves"]> }) {
  // What is known of no move is said below.
  const has = moves.heads.map((_, i) => moves.rows.some((row) => row[i + 1] !== "" && row[i + 1] !== "?"));
  return (
    <>
      <table class="moves">
        <thead><tr><th scope="col">{moves.title}</th>{moves.heads.map((head, i) => (has[i] ? <th key={i} scope="col">{head}</th> : null))}</tr></thead>
        <tbody>{moves.rows.map((row, r) => <tr key={r}><th scope="row">{row[0]}</th>{moves.heads.map((head, i) => (has[i] ? <td key={i} data-head={head}>{row[i + 1]}</td> : null))}</tr>)}</tbody>
      </table>
      {moves.more ? <p>{moves.more}</p> : null}
      <p class="advice">{moves.advice}</p>
    </>
  );
}

function Known({ words }: { words: HintWords }) {
  return (
    <>
      <p>{words.method}</p>
      <ul>{words.known.map((line, i) => <li key={i}>{line}</li>)}</ul>
      {words.moves ? <Moves moves={words.moves} /> : null}
      {words.out ? (
        <details open>
          <summary>{words.out.title}</summary>
          <dl>{words.out.rows.map(([of, values, why], i) => <div key={i}><dt>{of ? `${of}: ` : ""}{values}</dt><dd>{why}</dd></div>)}</dl>
          {words.out.more ? <p>{words.out.more}</p> : null}
        </details>
      ) : null}
      {words.open ? <><h3>{words.open.title}</h3><ul>{words.open.rows.map((line, i) => <li key={i}>{line}</li>)}</ul></> : null}
    </>
  );
}

function Hint() {
  const found = hint.value;
  const ask = (all: boolean) => { hint.value = "thinking"; send({ t: "hint", all }); };
  const close = () => { hint.value = null; };
  const cancel = () => { close(); send({ t: "unhint" }); };
  if (found === "thinking") return <div class="hint"><button type="button" class="quiet" onClick={cancel}>{say("hint_cancel")}</button></div>;
  return (
    <div class="hint">
      <button type="button" class="quiet" aria-expanded={found !== null} onClick={() => ask(false)}>{say("hint")}</button>
      {found ? (
        <div class="known" role="region" aria-label={say("hint")}>
          <Known words={found.in[number()]} />
          {found.all ? null : <button type="button" class="quiet" onClick={() => ask(true)}>{say("hint_all")}</button>}
          <button type="button" class="quiet" onClick={close}>{say("close")}</button>
        </div>
      ) : null}
    </div>
  );
}

// Why a card cannot be chosen, in the sentences of the rules.
function Why() {
  const asked = why.value;
  if (!asked) return null;
  return (
    <div class="reason" role="status">
      <Face kind={asked.k} />
      {asked.text ? of(asked.text).split("\n").map((line, i) => <p key={i}>{line}</p>) : <p>…</p>}
      <button type="button" class="quiet" onClick={() => { why.value = null; }}>{say("close")}</button>
    </div>
  );
}

// The rule that asks: whole where there is room, else its name, which opens it.
function RuleText({ ask }: { ask: Question }) {
  const text = ask.text ? of(ask.text) : "";
  if (!ask.rule) return null;
  if (!text) return <p class="rule"><b>{of(ask.rule)}</b></p>;
  return <details class="rule" open={is_wide()}><summary><b>{of(ask.rule)}</b></summary>{text}</details>;
}

// What happened last, where the log is out of sight. It is spoken elsewhere.
function Lately() {
  const last = lines.value.slice(-3);
  return last.length === 0 ? null : <ul class="lately" aria-hidden="true">{last.map((line, i) => <li key={lines.value.length + i}>{line_of(line)}</li>)}</ul>;
}

// Taking back: by consent of all people.
function TakeBack() {
  const back = table.value!.back;
  const me = you.value!.seat!;
  if (!back) return <button type="button" class="quiet undo" onClick={() => send({ t: "undo" })}>{say("undo")}</button>;
  if (back.agreed.includes(me)) return <p class="wait">{say("undo_waiting")}</p>;
  return (
    <div class="consent" role="alert">
      <p>{seat_name(back.by)}: {say("undo_wanted")}</p>
      <button type="button" class="agree" onClick={() => send({ t: "agree", on: true })}>{say("undo_agree")}</button>
      <button type="button" class="decline" onClick={() => send({ t: "agree", on: false })}>{say("undo_decline")}</button>
    </div>
  );
}

// A seat that was left and played on belongs to who comes back.
export function Left() {
  return (
    <section class="ask">
      <p class="wait">{say("stood_in")}</p>
      <button type="button" class="main" onClick={() => send({ t: "back" })}>{say("sit_again")}</button>
      <p class="notice" role="alert">{notice.value ? refusal(notice.value) : ""}</p>
    </section>
  );
}

export function Ask() {
  const now = news.value;
  const head = useRef<HTMLHeadingElement>(null);
  const q = now?.ask?.q;
  // Who is asked by keyboard begins at the question.
  useEffect(() => {
    if (q && (document.activeElement === document.body || document.activeElement === null)) head.current?.focus({ preventScroll: true });
  }, [q]);
  if (!now) return null;
  const ask = now.ask?.chosen ? null : now.ask;
  const paced = table.value!.pace > 0;  // then the button keeps its place
  return (
    <section class={`ask ${ask ? "asked" : ""}`} aria-label={say("your_turn")} data-q={ask?.q}>
      {ask ? (
        <>
          <h2 ref={head} tabIndex={-1}>{of(ask.prompt)}</h2>
          <RuleText key={ask.q} ask={ask} />
          <Lately />
          {ask.several ? <Several key={ask.q} ask={ask} /> : <Options ask={ask} />}
        </>
      ) : (
        <>
          <p class="wait">{say(now.ask ? "chosen_together" : !now.go ? "others_decide" : now.acts.length > 0 ? "may_act" : "pause")}</p>
          <Lately />
        </>
      )}
      {now.ask?.chosen ? <button type="button" class="quiet" onClick={() => send({ t: "rethink" })}>{say("rethink")}</button> : null}
      <Why />
      {now.go || (paced && !now.ask) ? <button type="button" class="main go" disabled={!now.go} onClick={() => send({ t: "go" })}>{say("go_on")}</button> : null}
      <Acts />
      <div class="tools">
        {now.hints ? <Hint /> : null}
        <TakeBack />
        <Careful />
      </div>
      <p class="notice" role="alert">{notice.value ? refusal(notice.value) : ""}</p>
    </section>
  );
}
