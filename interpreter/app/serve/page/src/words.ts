// What the page says by itself, in each language. Texts of the game come from the server, in all languages.
import { signal } from "@preact/signals";

export const languages = ["en", "ja"] as const;
export type Language = (typeof languages)[number];
export type Each = string[];

const texts = {
  connecting: ["Connecting…", "接続しています…"],
  cut: ["The connection is cut; trying again…", "接続が切れました。つなぎ直しています…"],
  no_link: [
    "This page needs a link of its own: open the one that was given to you.",
    "このページを開くには専用のリンクが必要です。受け取ったリンクを開いてください。",
  ],
  token: ["This link is no longer valid. Ask the host for a new one.", "このリンクはもう使えません。ホストに新しいリンクをもらってください。"],
  your_name: ["Your name", "あなたの名前"],
  sit: ["Take the seat", "席に着く"],
  waiting_for_others: ["Waiting for the others to come…", "ほかの人が来るのを待っています…"],
  you: ["you", "あなた"],
  here: ["here", "在席"],
  away: ["away", "離席"],
  ready: ["ready", "準備完了"],
  not_ready: ["not here yet", "まだ来ていません"],
  deduce: ["plays by deduction", "推理して打つ"],
  random: ["plays at random", "でたらめに打つ"],
  human: ["a person", "人"],
  table: ["Table", "場"],
  happened: ["What happened", "これまでの出来事"],
  your_turn: ["It is for you to decide", "あなたが決める番です"],
  others_decide: ["Others decide, or the game goes on.", "ほかの人が決めているか、ゲームが進んでいます。"],
  may_act: ["You may still act. Go on when you have seen it.", "まだ行動できます。確認したら先へ進んでください。"],
  pause: ["Go on when you have seen it; it goes on by itself, too.", "見終わったら先へ進めます。待っていても進みます。"],
  choose: ["Choose", "決定"],
  decides: ["This may decide the game, and cannot be undone.", "これで勝負が決まることがあり、元には戻せません。"],
  do_it: ["Do it", "実行する"],
  do_not: ["No", "やめる"],
  careful: ["Ask before each choice", "選ぶ前に確認する"],
  chosen: ["chosen", "選択中"],
  go_on: ["Go on", "先へ進む"],
  any_time: ["At any time", "いつでもできること"],
  wished: ["as soon as it may be done", "できるときになったら行います"],
  hint: ["What can I know?", "何が分かる?"],
  hint_cancel: ["Thinking… Cancel", "考えています… 中止"],
  hint_all: ["All of it", "すべて見る"],
  taken_back: ["took back the last decision", "直前の決定を取り消しました"],
  undo: ["Take back", "取り消したい"],
  undo_wanted: ["would like to take back the last decision.", "直前の決定を取り消したいそうです。"],
  undo_waiting: ["Waiting for all people to agree to taking it back…", "取り消しに全員が同意するのを待っています…"],
  undo_agree: ["I agree", "同意する"],
  undo_decline: ["No", "同意しない"],
  chosen_together: ["You have chosen. The others are choosing at the same time.", "選び終わりました。ほかの人も同時に選んでいます。"],
  rethink: ["Choose again", "選び直す"],
  why_not: ["why not?", "なぜ選べない?"],
  close: ["Close", "閉じる"],
  rules: ["Rules", "ルール"],
  turn: ["The turn as a picture", "手番の図"],
  in_sentences: ["In sentences", "文章で"],
  in_steps: ["In steps", "一歩ずつ"],
  then: ["then", "次は"],
  stood_in: ["While you were away, the program plays for you.", "離席中のため、プログラムが代わりに打っています。"],
  sit_again: ["Play on myself", "自分で続ける"],
  hinted: ["hints:", "ヒント:"],
  pace: ["Pause after what everybody notices", "全員に見えた出来事のあとの間"],
  pace_none: ["none", "なし"],
  seconds: ["s", "秒"],
  hints_allowed: ["Hints may be asked for", "ヒントを使える"],
  hints_shown: ["Everybody sees that one was asked for", "ヒントを使ったことを全員に見せる"],
  end_game: ["End the game", "ゲームを終える"],
  end_sure: ["End the game now, for everybody?", "いま全員のゲームを終えますか?"],
  hand: ["Make host", "ホストにする"],
  hand_sure: ["Hand the host's role over? This page then loses it.", "ホストを交代しますか?このページではホストができなくなります。"],
  handed: ["You are the host now. Open the host's page:", "あなたがホストになりました。ホストのページ:"],
  stopped: ["The host ended the game", "ホストがゲームを終えました"],
  replay: ["See the game again as", "もう一度見る:"],
  replay_off: ["–", "–"],
  replay_public: ["all saw it", "全員に見えたもの"],
  step: ["Step", "手順"],
  step_first: ["To the beginning", "最初へ"],
  step_back: ["One step back", "一つ戻る"],
  step_on: ["One step on", "一つ進む"],
  changed: [
    "The rules were changed since this game was begun: it can be looked at, not played on.",
    "このゲームを始めたあとでルールが変わりました。見ることはできますが、続きは遊べません。",
  ],
  over: ["The game is over", "ゲーム終了"],
  broken: ["The rules break off here", "ルールがここで行き詰まりました"],
  line: ["line", "行"],
  again: ["Another game", "もう一度遊ぶ"],
  again_all: ["It begins when all people want it, or when the host begins it.", "全員が希望するか、ホストが始めると、次のゲームになります。"],
  again_wanted: ["wants another game", "次を希望"],
  download: ["Save the log", "記録を保存"],
  host: ["Host", "ホスト"],
  watching: ["You look on: you see what everybody sees.", "観戦中です。全員に見えるものだけが見えます。"],
  links: ["Links to give to each person", "各自に渡すリンク"],
  watch_link: ["to look on", "観戦用"],
  copy: ["Copy", "コピー"],
  copied: ["Copied", "コピーしました"],
  relink: ["New link", "新しいリンク"],
  given: ["was given before; a new link takes its place", "渡し済みです。新しいリンクを作ると、前のものは使えなくなります"],
  start: ["Begin", "始める"],
  players: ["Players", "人数"],
  setup: ["How it is played", "遊び方"],
  who_plays: ["Who plays this seat", "この席で打つのは"],
  face_down: ["face down", "裏向き"],
  card: [" card", "枚"],
  cards: [" cards", "枚"],
  piece: [" piece", "個"],
  pieces: [" pieces", "個"],
  language: ["日本語", "English"],
  refused_unsaved: ["It could not be written to disk and did not happen. Try again.", "ディスクに書き込めなかったため、取り消されました。もう一度試してください。"],
  refused_not_offered: ["The rules do not allow this choice.", "ルール上、その選び方はできません。"],
  refused_stale: ["That was asked before and is decided.", "その質問はもう終わっています。"],
  refused_name: ["This name cannot be used.", "その名前は使えません。"],
  refused_name_taken: ["Somebody has this name already.", "その名前はすでに使われています。"],
  refused_busy: ["Not now; try again in a moment.", "今はできません。少し待ってからもう一度試してください。"],
  refused_no_hints: ["There are no hints at this table.", "この卓ではヒントは使えません。"],
  refused_not_shown: ["This cannot be seen from here.", "ここからは見られません。"],
  refused_not_here: ["Nobody is at this seat now.", "その席にはいま誰もいません。"],
  refused_back_nothing: ["There is nothing of yours to take back.", "取り消せる決定がありません。"],
  refused_back_chance: ["It cannot be taken back: chance has decided since.", "取り消せません。そのあとで偶然が決まりました。"],
  refused_back_others: ["It cannot be taken back: others have decided since.", "取り消せません。そのあとでほかの人が決めました。"],
  refused_back_seen: ["It cannot be taken back: something hidden has been seen since.", "取り消せません。そのあとで隠れていたものが見えました。"],
  refused_back_declined: ["Somebody does not agree to taking it back.", "取り消しに同意しない人がいます。"],
  refused_setup: ["The rules cannot be played so.", "ルール上、そのようには遊べません。"],
  refused_read_only: ["This table can only be looked at.", "この卓は見ることしかできません。"],
  refused_malformed: ["The page and the server do not understand each other. Reload the page.", "ページとサーバーの間で不具合が起きました。再読み込みしてください。"],
} satisfies Record<string, [string, string]>;

export type Word = keyof typeof texts;

function first(): Language {
  try {
    const kept = localStorage.getItem("language");
    if (kept === "en" || kept === "ja") return kept;
  } catch {
    // A browser may forbid it.
  }
  return navigator.language.startsWith("ja") ? "ja" : "en";
}

export const language = signal<Language>(first());
export const number = () => languages.indexOf(language.value);
export const say = (word: Word): string => texts[word][number()];
export const of = (each: Each): string => each[number()] ?? each[0];
export const refusal = (why: string): string => say((`refused_${why}` in texts ? `refused_${why}` : "refused_malformed") as Word);

export function other_language() {
  language.value = language.value === "en" ? "ja" : "en";
  try {
    localStorage.setItem("language", language.value);
  } catch {
    // Then it is asked again.
  }
}
