// The rules in sentences, beside the table and in a language of their own.
import { useSignal } from "@preact/signals";
import { send } from "./link";
import { book, link, type Item } from "./state";
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

export function Rules() {
  const open = useSignal(false);
  const own = useSignal<(typeof languages)[number] | null>(null);
  if (link.value !== "open" && !book.value) return null;
  const show = () => { open.value = !open.value; if (open.value && !book.value) send({ t: "book" }); };
  const shown = own.value ?? language.value;
  const page = book.value?.[languages.indexOf(shown)];
  return (
    <>
      <button type="button" class="quiet rules" aria-expanded={open.value} onClick={show}>{say("rules")}</button>
      {open.value ? (
        <aside class="book" lang={shown} aria-label={say("rules")} tabIndex={0}>
          <p class="bar">
            <button type="button" class="quiet" lang={shown === "en" ? "ja" : "en"} onClick={() => { own.value = shown === "en" ? "ja" : "en"; }}>{shown === "en" ? "日本語" : "English"}</button>
            <button type="button" class="quiet" onClick={show}>{say("close")}</button>
          </p>
          {page ? <h2>{page.title}</h2> : <p class="wait">…</p>}
          {page?.blocks.map((block, i) =>
            block.rows ? (
              <table key={i}><tbody>{block.rows.map((row, r) => <tr key={r}>{row.map((cell, c) => (r === 0 ? <th key={c} scope="col"><Text text={cell} /></th> : <td key={c}><Text text={cell} /></td>))}</tr>)}</tbody></table>
            ) : block.items ? <Items key={i} items={block.items} />
            : block.level === 2 ? <h3 key={i}><Text text={block.t!} /></h3>
            : block.level ? <h4 key={i}><Text text={block.t!} /></h4>
            : <p key={i}><Text text={block.t!} /></p>)}
        </aside>
      ) : null}
    </>
  );
}
