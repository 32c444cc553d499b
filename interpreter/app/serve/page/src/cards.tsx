// Cards and what lies on the table. A card is told by its words and its pattern, never by colour alone; of a hidden one nothing is known.
import { mark_of } from "./choose";
import { send } from "./link";
import { eyes, game, news, table, why, you, type FactNow, type Line, type PlaceNow, type SeatNow, type Value } from "./state";
import { of, say } from "./words";

export function Face({ kind }: { kind: number }) {
  const card = game.value!.kinds[kind];
  const name = of(card.n);
  const mark = card.i ?? "";
  const sort = card.e ? of(card.e) : "";
  const whole = mark && sort ? `${sort} ${mark}` : name;
  // A name as short as an index stands in its place.
  if (mark && !card.g && name !== mark && [...name].length <= 2)
    return <span class={`face p${card.p === undefined ? "n" : card.p % 6}`}><span class="mark">{name}</span><span class="name" aria-hidden="true">{mark}</span></span>;
  return (
    <span class={`face p${card.p === undefined ? "n" : card.p % 6}`}>
      {card.g || (mark && name !== mark) ? (
        <span class="mark" aria-hidden="true">{card.g ? <span class={card.c ? `g_${card.c}` : ""}>{card.g}</span> : null}{mark}</span>
      ) : null}
      <span class="name">{name || whole}</span>
    </span>
  );
}

export function Choice({ value }: { value: Value }) {
  if (value.k === undefined) return <span class="word">{of(value.n)}</span>;
  return (
    <>
      <Face kind={value.k} />
      {value.at !== undefined ? <span class="at">{of(game.value!.places[value.at]!.n)}</span> : null}
    </>
  );
}

// What is on the table: now, or at the step that is looked at again.
const seen = () => eyes.value ?? news.value;
export const line_of = (line: Line) => (Array.isArray(line) ? of(line) : `${seat_name(line.back)}: ${say("taken_back")}`);

// Kinds of card that can be chosen now: of others a tap says why not.
function asked_kinds(): Set<number> | null {
  const ask = eyes.value ? null : news.value?.ask;
  if (!ask || ask.chosen) return null;
  const values = ask.options ?? ask.several?.values ?? [];
  const kinds = values.flatMap((value) => (value.k === undefined ? [] : [value.k]));
  return kinds.length === 0 ? null : new Set(kinds);
}

function Card({ kind, place, nth, offered }: { kind: number; place: number; nth: number; offered: Set<number> | null }) {
  const mark = offered?.has(kind) ? mark_of(kind, place, nth) : null;
  if (mark) return <button type="button" class="pick" aria-pressed={mark.pressed} onClick={mark.tap}><Face kind={kind} /></button>;
  if (!offered || offered.has(kind)) return <Face kind={kind} />;
  const ask = () => { why.value = { k: kind }; send({ t: "why", k: kind }); };
  return <button type="button" class="why" onClick={ask}><Face kind={kind} /><span class="hidden"> – {say("why_not")}</span></button>;
}

const most_large = 8;  // cards of a pile that are drawn large

function PlaceView({ place }: { place: PlaceNow }) {
  const name = game.value!.places[place.p]!;
  const count = place.k?.length ?? place.c ?? 0;
  const number = `${count}${say(name.pieces ? (count === 1 ? "piece" : "pieces") : count === 1 ? "card" : "cards")}`;
  const kinds = name.owner >= 0 && name.owner === you.value?.seat ? asked_kinds() : null;
  // Of cards that lie where none can be chosen nobody asks why; unless no own card can be, then of the hand.
  const has = (at: PlaceNow) => game.value!.places[at.p]!.owner === name.owner && at.k?.some((kind) => kinds!.has(kind));
  const offered = kinds && (has(place) || (name.hand && !seen()!.places.some(has))) ? kinds : null;
  const many = count > most_large && !name.hand;
  const words = place.k ? number : `${number} (${say("face_down")})`;
  return (
    <li class="place">
      <span class="title">{of(name.short)}<span class="count">{words}</span></span>
      {place.k ? (
        <ul class={`cards ${name.shape} ${many ? "many" : ""}`}>
          {place.k.map((kind, i) => <li key={`${kind}-${i}`}><Card kind={kind} place={place.p} nth={place.k!.slice(0, i).filter((k) => k === kind).length} offered={offered} /></li>)}
        </ul>
      ) : (
        <span class="backs" aria-hidden="true">{Array.from({ length: Math.min(count, 7) }, (_, i) => <span class="back" key={i} />)}</span>
      )}
    </li>
  );
}

function Facts({ facts }: { facts: FactNow[] }) {
  if (facts.length === 0) return null;
  return <dl class="facts">{facts.map((f, i) => <div key={i}><dt>{of(f.n)}</dt><dd>{of(f.v)}</dd></div>)}</dl>;
}

export function seat_name(seat: number): string {
  return table.value?.seats[seat]?.n || `P${seat + 1}`;
}

function SeatHead({ seat, now }: { seat: number; now: SeatNow }) {
  const mine = you.value?.seat === seat;
  const state = now.who !== "human" ? say(now.who) : mine ? say("you") : say(now.here ? "here" : "away");
  const again = table.value!.phase === "over" && now.who === "human" && now.ready;
  return <h2>{seat_name(seat)}{again ? <span class="badge">{say("again_wanted")}</span> : null}{now.hinted ? <span class="badge">{say("hinted")} {now.hinted}</span> : null}<span class={`badge ${now.left || (now.who === "human" && !now.here) ? "gone" : ""}`}>{now.left ? `${say("away")}: ` : ""}{state}</span></h2>;
}

function Area({ owner }: { owner: number }) {
  const places = (seen()?.places ?? []).filter((p) => game.value!.places[p.p]!.owner === owner);
  const facts = (seen()?.facts ?? []).filter((f) => f.owner === owner);
  if (owner < 0 && places.length + facts.length === 0) return null;
  const mine = you.value?.seat === owner && owner >= 0;
  return (
    <section class={`area ${mine ? "mine" : ""}`}>
      {owner < 0 ? <h2>{say("table")}</h2> : <SeatHead seat={owner} now={table.value!.seats[owner]} />}
      <ul class="places">{places.map((p) => <PlaceView key={p.p} place={p} />)}</ul>
      <Facts facts={facts} />
    </section>
  );
}

export function TableView() {
  const seats = table.value!.seats.map((_, i) => i);
  const me = eyes.value ? (eyes.value.of >= 0 ? eyes.value.of : undefined) : you.value?.seat;
  const order = me === undefined ? seats : [me, ...seats.slice(me + 1), ...seats.slice(0, me)];
  return <div class="table"><Area owner={-1} />{order.map((seat) => <Area key={seat} owner={seat} />)}</div>;
}
