// What the server has told, as it told it. The page changes nothing of it by itself.
import { signal } from "@preact/signals";
import type { Each } from "./words";

// `g`, `c`: the author's glyph for its pattern, and the colour of it.
export interface Kind { n: Each; f: number; p?: number; e?: Each; i?: string; g?: string; c?: string }
// `hand`: its owner alone looks there. `pieces`: what lies there is not called cards.
export interface PlaceName { n: Each; short: Each; owner: number; shape: string; hand?: boolean; pieces?: boolean }
// What the host can set before the game: an option, or how a sentence of the rules is read.
export interface Offer { id: string; n: Each; text: Each; now: string; values: { v: string; n: Each }[] }
export interface GameNames {
  setup?: { low: number; high: number; offers: Offer[] };
  name: Each; text: Each; players: number; kinds: Kind[]; places: (PlaceName | null)[]; acts: { n: Each; text: Each; decides?: boolean }[];
}
// `decides`: by that alone the game may be decided.
export interface Value { n: Each; k?: number; at?: number; v?: number; most?: number; m?: number; decides?: boolean }
export interface Question {
  chosen?: boolean; q: string; prompt: Each; rule?: Each; text?: Each; options?: Value[]; several?: { low: number; high: number; values: Value[] };
}
export interface PlaceNow { p: number; k?: number[]; c?: number }
export interface FactNow { owner: number; n: Each; v: Each }
export interface News {
  from: number; lines: Line[]; places: PlaceNow[]; facts: FactNow[]; ask: Question | null; go: boolean; acts: boolean[]; hints?: boolean;
}
// What happened, or whose decision was taken back.
export type Line = Each | { back: number };
export interface SeatNow { n: string; who: "human" | "random" | "deduce"; here: boolean; ready: boolean; left?: boolean; hinted?: number }
export interface End { result?: Each; log?: string; name?: string; broken?: Each; line?: string; stopped?: boolean; changed?: boolean }
export interface TableNow {
  phase: "lobby" | "playing" | "over" | "broken"; seats: SeatNow[]; end?: End; pace: number; hints: boolean; hints_shown: boolean; read_only?: boolean;
  back?: { by: number; agreed: number[] };
}
// A game that is over, through the eyes of a seat, or of all (-1): of each step how many lines had been told, and the table after it.
export interface Eyes { of: number; lines: Line[]; steps: number[]; step: number; places: PlaceNow[]; facts: FactNow[] }
export interface Item { t: string; items?: Item[] }
export interface Block { level?: number; t?: string; items?: Item[]; rows?: string[][] }
export interface Book { title: string; blocks: Block[] }
// The turn in steps: what can follow what, and how it is drawn.
export interface Turn { nodes: { g: string; t: string }[]; edges: [number, number, string][]; svg?: string; note?: string }
// What can be known, in the words of one language. Of a row of moves: which, what one then knows, what others then know, what may come.
export interface Titled { title: string; rows: string[]; more?: string }
export interface HintWords {
  method: string; known: string[]; out?: { title: string; rows: [string, string, string][]; more?: string };
  moves?: { title: string; heads: string[]; rows: [string, string, string, string][]; more?: string; advice: string }; open?: Titled;
}
export interface Hint { all: boolean; in: HintWords[] }
export interface You { role: "seat" | "host" | "watch"; seat?: number; run: string; last: number }

export const link = signal<"none" | "connecting" | "open" | "cut" | "refused">("connecting");
export const you = signal<You | null>(null);
export const game = signal<GameNames | null>(null);
export const table = signal<TableNow | null>(null);
export const news = signal<News | null>(null);
export const lines = signal<Line[]>([]);
export const links = signal<Record<string, string>>({});
export const notice = signal("");  // a refusal
export const hint = signal<Hint | "thinking" | null>(null);
export const why = signal<{ k: number; text?: Each } | null>(null);  // a card that cannot be chosen
export const eyes = signal<Eyes | null>(null);
export const book = signal<Book[] | null>(null);
export const turn = signal<Turn[] | null>(null);
export const handed = signal("");  // the host's link, for who is the host now
export const sending = signal(false);  // a move is on its way
