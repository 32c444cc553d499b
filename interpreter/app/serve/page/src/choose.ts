// What is marked, in the question or on an own card, until it is said to be chosen. A tap on an option says it at once, unless people want
// to be asked once more or it may decide the game; a tap on an own card only marks it.
import { signal } from "@preact/signals";
import { move } from "./link";
import { eyes, news, type Question, type Value } from "./state";

function kept(): boolean {
  try {
    return localStorage.getItem("careful") === "yes";
  } catch {
    return false;
  }
}
export const careful = signal(kept());
export function be_careful(on: boolean) {
  careful.value = on;
  try {
    localStorage.setItem("careful", on ? "yes" : "no");
  } catch {
    // Then it is wanted anew.
  }
}

const marked = signal<{ q: string; keys: string[] }>({ q: "", keys: [] });
export const marks = (ask: Question): string[] => (marked.value.q === ask.q ? marked.value.keys : []);
const key_of = (option: Value) => String(option.m);

// Each copy of what can be chosen among several.
export const copies_of = (ask: Question): [Value, string][] =>
  ask.several!.values.flatMap((v) => Array.from({ length: v.most! }, (_, i): [Value, string] => [v, `${v.v}-${i}`]));

export function toggle(ask: Question, key: string) {
  const keys = marks(ask);
  if (ask.several) marked.value = { q: ask.q, keys: keys.includes(key) ? keys.filter((k) => k !== key) : [...keys, key] };
  else marked.value = { q: ask.q, keys: keys.includes(key) ? [] : [key] };
}

export function choose(ask: Question, option: Value) {
  if (careful.value || option.decides) return toggle(ask, key_of(option));
  move({ q: ask.q, m: option.m });
}

export const is_marked = (ask: Question, option: Value) => marks(ask).includes(key_of(option));
export const marked_option = (ask: Question) => ask.options?.find((option) => is_marked(ask, option));

// What an own card stands for in the question, the n-th of its kind at that place.
export function mark_of(kind: number, place: number, nth: number): { pressed: boolean; tap: () => void } | null {
  const ask = eyes.value ? null : news.value?.ask;
  if (!ask || ask.chosen) return null;
  const fits = (value: Value) => value.k === kind && (value.at === undefined || value.at === place);
  const found = ask.options ? ask.options.filter(fits).map(key_of) : copies_of(ask).filter(([v]) => fits(v)).map(([, key]) => key);
  if (ask.options && found.length !== 1) return null;
  const key = found[ask.options ? 0 : nth];
  return key === undefined ? null : { pressed: marks(ask).includes(key), tap: () => toggle(ask, key) };
}
