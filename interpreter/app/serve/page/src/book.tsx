// The rules in sentences, and the turn as a picture, beside the table and in a language of their own.
import { useSignal } from "@preact/signals";
import { useEffect } from "preact/hooks";
import { send } from "./link";
import { book, link, turn, type Book, type Item, type Turn } from "./state";
import { language, languages, say } from "./words";

// Marks in a text: the file's own words, what is strong, names with a meaning.
const marks: Record<string, "code" | "strong" | "em"> = { "\x0e": "code", "\x10": "strong", "\x12": "em" };

function Text({ text }: { text: string }) {
  const parts = text.split(/([\x0e\x10\x12][^\x0e-\x15]*[\x0f\x11\x13])/);
  return (
    <>
      {parts.map((part, i) => {
        const Mark = marks[part[0] ?? ""];
        const plain = part.replace(/[\x0e-\x15]/g, "");
        return Mark ? <Mark key={i}>{plain}</Mark> : plain;
      })}
    </>
  );
}

function Items({ items }: { items: Item[] }) {
  return <ul>{items.map((item, i) => <li key={i}><Text text={item.t} />{item.items ? <Items items={item.items} /> : null}</li>)}</ul>;
}

function Sentences({ page }: { page: Book }) {
  return (
    <>
      <h2>{page.title}</h2>
      {page.blocks.map((block, i) =>
        block.rows ? (
          <table key={i}><tbody>{block.rows.map((row, r) => <tr key={r}>{row.map((cell, c) => (r === 0 ? <th key={c} scope="col"><Text text={cell} /></th> : <td key={c}><Text text={cell} /></td>))}</tr>)}</tbody></table>
        ) : block.items ? <Items key={i} items={block.items} />
        : block.level === 2 ? <h3 key={i}><Text text={block.t!} /></h3>
        : block.level ? <h4 key={i}><Text text={block.t!} /></h4>
        : <p key={i}><Text text={block.t!} /></p>)}
    </>
  );
}

// Each step with those that can follow it: what the picture shows, for who does not see it, and where it could not be drawn.
function Steps({ now }: { now: Turn }) {
  return (
    <ol class="turn">
      {now.nodes.map((node, i) => (
        <li key={i}>
          {node.g && node.g !== now.nodes[i - 1]?.g ? <b>{node.g}</b> : null} {node.t}
          <ul>{now.edges.filter(([from]) => from === i).map(([, to, label], e) => <li key={e}>{say("then")} {to + 1}{label ? `: ${label}` : ""}</li>)}</ul>
        </li>
      ))}
    </ol>
  );
}

// Where the turn begins: at the top, in the middle.
function to_middle(event: { currentTarget: HTMLImageElement }) {
  const frame = event.currentTarget.parentElement!;
  frame.scrollLeft = (frame.scrollWidth - frame.clientWidth) / 2;
}

// A picture that is only looked at: nothing in it can run.
function Picture({ now }: { now: Turn }) {
  return (
    <>
      {now.svg ? <div class="picture" tabIndex={0} role="region" aria-label={say("turn")}><img alt={say("turn")} onLoad={to_middle} src={`data:image/svg+xml,${encodeURIComponent(now.svg)}`} /></div> : <p class="wait">{now.note}</p>}
      <details open={!now.svg}><summary>{say("in_steps")}</summary><Steps now={now} /></details>
    </>
  );
}

export function Rules() {
  const open = useSignal(false);
  const drawn = useSignal(false);
  const own = useSignal<(typeof languages)[number] | null>(null);
  const is_open = link.value === "open";
  const wanted = open.value && is_open && !(drawn.value ? turn : book).value ? (drawn.value ? "machine" : "book") : "";
  useEffect(() => { if (wanted) send({ t: wanted }); }, [wanted]);
  if (!is_open && !book.value) return null;
  const show = () => { open.value = !open.value; };
  const shown = own.value ?? language.value;
  const at = languages.indexOf(shown);
  return (
    <>
      <button type="button" class="quiet rules" aria-expanded={open.value} onClick={show}>{say("rules")}</button>
      {open.value ? (
        <aside class="book" lang={shown} aria-label={say("rules")} tabIndex={0}>
          <p class="bar">
            <button type="button" class="quiet" lang={shown === "en" ? "ja" : "en"} onClick={() => { own.value = shown === "en" ? "ja" : "en"; }}>{shown === "en" ? "日本語" : "English"}</button>
            <button type="button" class="quiet drawn" lang={language.value} onClick={() => { drawn.value = !drawn.value; }}>{say(drawn.value ? "in_sentences" : "turn")}</button>
            <button type="button" class="quiet" lang={language.value} onClick={show}>{say("close")}</button>
          </p>
          {drawn.value ? (turn.value ? <Picture now={turn.value[at]} /> : <p class="wait">…</p>) : book.value ? <Sentences page={book.value[at]} /> : <p class="wait">…</p>}
        </aside>
      ) : null}
    </>
  );
}
