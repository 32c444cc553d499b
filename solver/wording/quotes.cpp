#include "solver/wording/quotes.hpp"

#include "dsl/text/ascii.hpp"

#include <algorithm>
#include <array>
#include <functional>

namespace houserule {

namespace {

struct Figure {
    std::string_view word;
    std::int64_t value;
};
constexpr std::array english_figures{Figure{"one", 1},        Figure{"two", 2},       Figure{"three", 3},     Figure{"four", 4},
                                     Figure{"five", 5},       Figure{"six", 6},       Figure{"seven", 7},     Figure{"eight", 8},
                                     Figure{"nine", 9},       Figure{"ten", 10},      Figure{"eleven", 11},   Figure{"twelve", 12},
                                     Figure{"thirteen", 13},  Figure{"fourteen", 14}, Figure{"fifteen", 15},  Figure{"sixteen", 16},
                                     Figure{"seventeen", 17}, Figure{"eighteen", 18}, Figure{"nineteen", 19}, Figure{"twenty", 20},
                                     Figure{"thirty", 30},    Figure{"forty", 40},    Figure{"fifty", 50},    Figure{"sixty", 60},
                                     Figure{"seventy", 70},   Figure{"eighty", 80},   Figure{"ninety", 90},   Figure{"hundred", 100}};
constexpr std::array japanese_figures{Figure{"二", 2}, Figure{"三", 3}, Figure{"四", 4}, Figure{"五", 5}, Figure{"六", 6},
                                      Figure{"七", 7}, Figure{"八", 8}, Figure{"九", 9}, Figure{"十", 10}};
// A Japanese numeral in characters counts only before what is counted: else it is often part of a word.
constexpr std::array counters{"枚", "人", "回", "個", "点", "つ", "組", "周", "匹", "本", "倍"};

// A letter of any alphabet: a byte that is not ASCII belongs to one.
bool is_part_of_word(char c) { return ascii::is_letter(c) || !ascii::is_ascii(c); }
bool is_ascii_text(std::string_view word) { return std::all_of(word.begin(), word.end(), ascii::is_ascii); }
std::string lower(std::string_view text) {
    std::string s(text);
    for (char& c : s) c = ascii::small(c);
    return s;
}

// `twenty-one`, `two hundred`: English figures in words, in lower case.
std::vector<std::int64_t> numbers_in_words(const std::string& low) {
    std::vector<std::int64_t> numbers;
    bool goes_on = false;  // the word before was a figure
    for (std::size_t i = 0; i < low.size();) {
        std::size_t end = i;
        while (end < low.size() && is_part_of_word(low[end])) ++end;
        if (end == i) {
            goes_on = goes_on && (low[i] == ' ' || low[i] == '-');
            ++i;
            continue;
        }
        const std::string_view word = std::string_view(low).substr(i, end - i);
        const auto figure = std::find_if(english_figures.begin(), english_figures.end(), [&](const Figure& f) { return f.word == word; });
        i = end;
        if (figure == english_figures.end()) {
            goes_on = false;
            continue;
        }
        constexpr std::int64_t hundred = 100;
        std::int64_t* last = goes_on && !numbers.empty() ? &numbers.back() : nullptr;
        if (last != nullptr && figure->value == hundred)
            *last *= hundred;
        else if (last != nullptr && *last >= 20 && *last % 10 == 0 && figure->value < 10)
            *last += figure->value;
        else
            numbers.push_back(figure->value);
        goes_on = true;
    }
    return numbers;
}

struct Saying {
    Topic what;
    std::vector<std::string_view> words;  // beginnings of English words, parts of Japanese sentences
};
const std::vector<Saying>& sayings() {
    static const std::vector<Saying> all{
        {Topic::direction,
         {"clockwise", "counterclockwise", "anticlockwise", "anti-clockwise", "to the left", "to the right", "from the left",
          "from the right", "any order", "in order", "時計回り", "反時計", "右回り", "左回り", "左へ", "右へ", "好きな順"}},
        {Topic::first,
         {"first",          "begin",      "start",      "lead",      "clockwise from", "P1",     "P2",       "any order", "from the left",
          "from the right", "最初",       "スタート",   "親",        "先手",           "人から", "ヤーから", "P1から",    "好きな順",
          "から時計",       "から反時計", "から右回り", "から左回り"}},
        {Topic::next_first, {"next round", "next trick", "next hand",   "next deal",   "each round",     "every round",
                             "all rounds", "again",      "leads",       "goes to the", "to the left is", "the left of the",
                             "neighbour",  "neighbor",   "takes turns", "rotate",      "same player",    "winner",
                             "dealer",     "次の",       "交代",        "移",          "同じ人",         "毎",
                             "左隣",       "右隣"}},
        {Topic::must, {"must", "have to", "has to", "obliged", "なければならない", "なければなりません", "必ず", "義務"}},
        {Topic::may, {"may", "can", "if you like", "allowed", "choose to", "てよい", "てもよい", "できる", "できます", "任意"}},
        {Topic::tie, {"tie",          "tied",          "share the", "share it",   "shares",   "they share", "is shared", "are shared",
                      "win together", "wins together", "a draw",    "drawn game", "equal",    "同点",       "同数",      "引き分け",
                      "同じ点",       "並ん",          "分け合",    "同じなら",   "同じとき", "同じ場合",   "同額"}},
        {Topic::several,
         {"tie", "tied", "several", "more than one", "equal", "share", "複数", "何人も", "いくつも", "同点", "同数", "同じ点", "並ん",
          "同じなら", "同じとき", "同じ場合", "同額"}},
        {Topic::once, {"once", "one time only", "一度", "1度", "一回", "1回"}},
        {Topic::once_a_game,
         {"once in a game", "once a game", "once per game", "once in the game", "once during the game", "once in the whole game",
          "once each game", "ゲーム中に1回", "ゲーム中に一度", "ゲーム中1回", "ゲーム中一度", "1ゲームに1回", "1ゲームに一度",
          "1回のゲームに一度"}},
        {Topic::or_more, {"or more", "at least", "exceed", "reach", "以上", "達し", "超え"}},
        {Topic::leftovers, {"left over", "leftover", "remain", "rest", "unused", "what is left", "stay", "余", "残"}},
        {Topic::evenly, {"even", "as far as", "one more", "one card more", "left over", "remain", "rest", "余", "残", "1枚多", "均等"}},
        {Topic::none,
         {"none", "no such", "has no ", "have no ", "cannot", "without", "if you have", "if possible", "if there is", "short", "suffice",
          "run out", "なければ", "ない場合", "ないとき", "できない", "足りな", "あれば"}},
        {Topic::together,
         {"at once", "same time", "same moment", "simultaneous", "together", "face down", "secret", "before looking", "一斉", "同時",
          "伏せ", "裏向き", "見る前", "一緒"}},
        {Topic::seen, {"face up", "face down", "open",  "hid",  "secret", "reveal", "show", "look", "see",  "unseen",
                       "visible", "turned up", "aside", "公開", "表向き", "伏せ",   "裏",   "見",   "秘密", "隠"}},
        {Topic::talk,
         {"talk", "discuss", "hint", "communicat", "speak", "silen", "not more", "nothing more", "nothing else", "それ以上", "話", "相談",
          "ヒント", "手がかり", "口に"}},
        {Topic::agree, {"agree", "majority", "vote", "most of them", "in doubt", "多数", "一致", "話し合"}},
        {Topic::still,
         {"still", "is in", "are in", "not out", "is out", "are out", "left in", "who are left", "who is left", "残って", "残った",
          "脱落し", "抜けた"}},
        {Topic::nought,
         {"none", "nothing", "zero", "nought", "without", "at least one", "なし", "ゼロ", "ない人", "1枚以上", "1点以上", "1つ以上"}},
        {Topic::alone, {"alone", "single", "only one", "just one", "単独", "1人だけ", "一人だけ", "1つだけ"}},
        {Topic::often, {"again", "as often", "times", "any number", "repeat", "何度でも", "繰り返", "くり返", "回まで", "もう一度"}},
        {Topic::either,
         {"in any case", "whether", "either way", "even if", "even when", "only if", "only when", "also if", "かかわらず", "関わらず",
          "成否", "場合も", "ときも", "場合だけ", "ときだけ", "たときのみ"}},
        {Topic::last_one,
         {"last player", "last one", "only one", "one is left", "one player", "is left alone", "survive", "all but one", "残った1人",
          "最後の1人", "最後の一人", "最後まで残", "1人だけ", "一人だけ", "1人になっ", "一人になっ", "最後に残"}},
        {Topic::immediately, {"at once", "immediate", "instantly", "without", "すぐ", "即", "直ちに", "その場で"}},
    };
    return all;
}
// Of duties, of what becomes of things, and of when something comes.
const std::vector<Saying>& further_sayings() {
    static const std::vector<Saying> all{
        {Topic::forced, {"must",           "have to",        "has to",    "obliged", "forced",       "cannot",       "can't",
                         "unable",         "none",           "otherwise", "may",     "need not",     "only if",      "if possible",
                         "なければならな", "なければなりま", "必ず",      "義務",    "できなければ", "出せなければ", "できないとき",
                         "出せないとき",   "てよい",         "てもよい",  "できる"}},
        {Topic::declined, {"must",           "have to",     "has to",
                           "obliged",        "forced",      "may",
                           "pass",           "decline",     "each player plays",
                           "need not",       "if you like", "なければならな",
                           "なければなりま", "必ず",        "義務",
                           "パス",           "てよい",      "てもよい",
                           "できる",         "できます",    "任意"}},
        {Topic::back,
         {"back", "return", "again", "collect", "gather", "discard", "put away", "cleared", "removed", "away", "戻", "返", "集め", "捨",
          "片付", "片づ", "取り除"}},
        {Topic::of_each,
         {"each", "every", "all", "both", "the others", "other players", "one of", "opponents", "ずつ", "全員", "それぞれ", "みな", "各",
          "誰か"}},
        {Topic::until_then,
         {"at once", "immediate", "instantly", "as soon", "end of the round", "ends the round", "finish", "until", "すぐ", "即", "直ちに",
          "その場で", "まで", "時点", "ラウンドの終わり", "最後まで"}},
        {Topic::after_deal,
         {"after", "before", "then", "first", "looking", "seeing", "seen", "後", "前に", "まず", "次に", "見て", "見ずに", "見る前"}},
        {Topic::worthless,
         {"worth nothing", "nobody", "no one", "count nothing", "lost", "left over", "leftover", "remain", "what is left", "得点にならない",
          "誰のもの", "余", "残"}},
        {Topic::who_begins,
         {"begin", "start", "youngest", "oldest", "lot", "is first", "plays first", "leads first", "goes first", "first player", "スタート",
          "最初の人", "最初のプレイヤー", "先手", "くじ", "じゃんけん", "から始め", "親"}},
        {Topic::forfeited,
         {"lost", "lose", "gone", "forfeit",    "nothing",    "left over", "remain", "begins anew", "start again", "each time",
          "失",   "余",   "残",   "得られない", "もらえない", "なくなる",  "没収",   "捨て",        "最初から",    "新た"}},
        {Topic::picked,
         {"blind", "random", "shuffl", "arrange", "fan", "holds out", "any card", "pick", "混ぜ", "並べ", "無作為", "好きな", "裏向き",
          "選"}},
        {Topic::stands_in, {"next player",    "next one", "next in",        "is next", "neighbour", "neighbor", "on the left",
                            "to the left",    "left of",  "in their place", "instead", "otherwise", "同じ人",   "次の人",
                            "次のプレイヤー", "左隣",     "右隣",           "代わり",  "その次",    "順に次"}},
        {Topic::a_player,
         {"a player", "any player", "one player", "some player", "somebody", "someone", "anybody", "anyone", "a person", "誰か", "だれか",
          "1人", "一人", "ひとり", "プレイヤーを"}},
        {Topic::not_oneself, {"another", "other player",  "others", "one other", "else",     "opponent", "neighbour", "neighbor",
                              "all but", "everybody but", "except", "oneself",   "yourself", "themsel",  "himself",   "herself",
                              "own",     "ask",           "tell",   "victim",    "rival",    "ほか",     "他",        "以外",
                              "除",      "相手",          "隣",     "自分",      "教え",     "聞",       "尋"}},
        {Topic::just_drawn,
         {"drawn",      "drew",  "just",   "at once", "immediate", "same turn", "next turn", "may play it", "can play it", "plays it",
          "play it if", "until", "引いた", "取った",  "すぐ",      "その場で",  "そのまま",  "同じ番",      "次の番",      "まで"}},
        {Topic::runs_out,
         {"as many as", "as long as", "as far as", "if there", "are there", "fewer",    "enough",   "suffice",  "run out",  "runs out",
          "used up",    "empty",      "none",      "no more",  "at most",   "at least", "up to",    "remain",   "rest",     "left",
          "last",       "short",      "within",    "below",    "above",     "足りな",   "足りる",   "ある限り", "あるだけ", "なくな",
          "尽き",       "空",         "残",        "まで",     "以上",      "以下",     "なければ", "ないとき", "ない場合"}},
    };
    return all;
}
// Of who wins, and who is meant.
const std::vector<Saying>& sayings_of_people() {
    static const std::vector<Saying> all{
        {Topic::nobody_wins,
         {"nobody win",
          "nobody has won",
          "nobody is the winner",
          "no one win",
          "no one has won",
          "no winner",
          "without a winner",
          "all lose",
          "everybody loses",
          "you lose.",
          "you lose,",
          "you lose:",
          "you all lose",
          "they lose.",
          "they lose,",
          "they all lose",
          "game is lost",
          "is lost.",
          "a draw.",
          "a draw,",
          "a draw:",
          "drawn game",
          "誰も勝",
          "だれも勝",
          "勝者なし",
          "勝者はい",
          "勝者がい",
          "全員の負け",
          "全員負け",
          "みんなの負け",
          "引き分け",
          "失敗"}},
        {Topic::all_lose,
         {"nobody wins", "no one wins", "all lose", "everybody loses", "everyone loses", "you all lose", "誰も勝たない", "だれも勝たない",
          "勝者なし", "勝者はいない", "全員の負け", "全員負け", "みんなの負け"}},
        {Topic::others, {"other", "else", "everybody but", "all but", "except", "opponent", "ほか", "他", "以外", "除"}},
    };
    return all;
}

}  // namespace

bool has_word(std::string_view text, std::string_view word) {
    if (word.empty()) return false;
    if (!is_ascii_text(word)) return text.find(word) != std::string_view::npos;
    const std::string low = lower(text);
    const std::string wanted = lower(word);
    for (std::size_t at = low.find(wanted); at != std::string::npos; at = low.find(wanted, at + 1)) {
        const bool begins = at == 0 || !is_part_of_word(low[at - 1]);
        const bool of_rest = wanted == "left" && (low.compare(at, 9, "left over") == 0 || low.compare(at, 8, "leftover") == 0);
        // `everybody begins with 15 coins` says nothing of who begins; `beginning with the youngest` does.
        const std::size_t end = std::min(low.find_first_of(" .,;:", at), low.size());
        const auto is_somebody = [&](std::string_view who) { return low.compare(end + 6, who.size(), who) == 0; };
        const bool of_goods =
            (wanted == "begin" || wanted == "start") && low.compare(end, 6, " with ") == 0 && !is_somebody("the ") && !is_somebody("who");
        const bool of_remains = wanted == "left" && at >= 3 && low.compare(at - 3, 3, "is ") == 0;
        if (begins && !of_rest && !of_remains && !of_goods) return true;
    }
    return false;
}

namespace {

// Without `it is over at once`, which is not about what several do at once.
std::string without_ends(std::string_view text) {
    std::string low = lower(text);
    for (const std::string_view end : {"over at once", "ends at once", "end at once"})
        for (std::size_t at = 0; (at = low.find(end, at)) != std::string::npos;) low.erase(at, end.size());
    return low;
}

// `From the dealer, clockwise`, in one sentence.
bool says_from_whom(std::string_view text) {
    return std::ranges::any_of(sentences(text), [](const std::string& sentence) {
        const std::size_t from = lower(sentence).find("from ");
        if (from == std::string::npos) return false;
        const std::string behind = sentence.substr(from);
        return has_word(behind, "clockwise") || has_word(behind, "counterclockwise");
    });
}

}  // namespace

bool says(std::string_view written, Topic what) {
    if (what == Topic::first && says_from_whom(written)) return true;
    const std::string rest = what == Topic::together ? without_ends(written) : "";
    const std::string_view text = what == Topic::together ? std::string_view(rest) : written;
    for (const auto* all : {&sayings(), &further_sayings(), &sayings_of_people()})
        for (const Saying& s : *all)
            if (s.what == what) return std::any_of(s.words.begin(), s.words.end(), [&](std::string_view w) { return has_word(text, w); });
    return false;
}

std::set<std::int64_t> numbers_said(std::string_view text, std::int64_t least) {
    std::set<std::int64_t> said;
    const std::string low = lower(text);
    for (std::size_t i = 0; i < low.size(); ++i) {
        if (!ascii::is_digit(low[i]) || (i > 0 && ascii::is_letter(low[i - 1]))) continue;
        std::int64_t n = 0;
        for (; i < low.size() && ascii::is_digit(low[i]) && n < 100'000; ++i) n = n * 10 + (low[i] - '0');
        if (n >= least) said.insert(n);
    }
    for (const std::int64_t n : numbers_in_words(low))
        if (n >= least) said.insert(n);
    for (const Figure& f : japanese_figures)
        for (const char* counter : counters)
            if (text.find(std::string(f.word) + counter) != std::string_view::npos) said.insert(f.value);
    return said;
}

std::vector<LimitSaid> limits_said(std::string_view text) {
    struct Sign {
        std::string_view words;
        bool is_before;       // the number
        std::int64_t beyond;  // from the number to the largest on the lower side
    };
    static constexpr Sign signs[] = {{"more than ", true, 0},   {"at most ", true, 0},    {"up to ", true, 0},     {"at least ", true, -1},
                                     {"fewer than ", true, -1}, {"less than ", true, -1}, {" or more", false, -1}, {" or fewer", false, 0},
                                     {"を超え", false, 0},      {"まで", false, 0},       {"以下", false, 0},      {"以上", false, -1},
                                     {"未満", false, -1}};
    const std::string low = lower(text);
    std::vector<LimitSaid> all;
    for (const Sign& sign : signs) {
        for (std::size_t at = low.find(sign.words); at != std::string::npos; at = low.find(sign.words, at + 1)) {
            std::string_view part = low;
            if (sign.is_before) {
                part = part.substr(at + sign.words.size());
                part = part.substr(0, part.find_first_of(" .,;:!?"));
            } else if (is_ascii_text(sign.words)) {
                part = part.substr(0, at);  // `seven or more`, `seven cards or more`
                const std::size_t noun = part.rfind(' ');
                const std::size_t number = noun == std::string_view::npos || noun == 0 ? noun : part.rfind(' ', noun - 1);
                part = part.substr(number == std::string_view::npos ? 0 : number + 1);
            } else {
                std::size_t begin = at;
                if (begin >= 3 && !ascii::is_digit(low[begin - 1])) begin -= 3;  // `枚`, `点`
                while (begin > 0 && ascii::is_digit(low[begin - 1])) --begin;
                part = part.substr(begin, at - begin);
            }
            if (const std::set<std::int64_t> numbers = numbers_said(part); numbers.size() == 1)
                all.push_back({*numbers.begin(), *numbers.begin() + sign.beyond});
        }
    }
    return all;
}

std::set<std::int64_t> numbers_before(std::string_view text, const std::string& noun) {
    std::set<std::int64_t> said;
    const std::string wanted = " " + noun;
    for (std::size_t at = text.find(wanted); at != std::string_view::npos; at = text.find(wanted, at + 1)) {
        const std::size_t before = text.find_last_of(" .,;:(", at == 0 ? 0 : at - 1);
        const std::size_t begin = before == std::string_view::npos ? 0 : before + 1;
        if (begin < at) said.merge(numbers_said(text.substr(begin, at - begin)));
    }
    return said;
}

std::vector<std::string> sentences(std::string_view text) {
    std::vector<std::string> all(1);
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool stop = text.compare(i, 3, "。") == 0;
        const bool ends = text[i] == '.' || text[i] == ';' || text[i] == ':' || stop;
        if (!stop) all.back() += text[i];
        if (stop) i += 2;
        if (ends && !all.back().empty()) all.emplace_back();
    }
    if (all.back().empty()) all.pop_back();
    return all;
}

Quotes::Quotes(const Syntax& syntax) {
    std::string language = "en";
    const std::function<void(const SyntaxNode&)> declared = [&](const SyntaxNode& node) {
        switch (node.kind) {
            case Kind::d_game:
                if (node.children.back()->kind == Kind::name && node.children.size() > 1) language = node.children.back()->text;
                declared_.insert(node.children[0]->text);
                break;
            case Kind::d_rule:
            case Kind::d_match:
            case Kind::d_act:
            case Kind::d_end:
            case Kind::end_entry:
            case Kind::d_option:
            case Kind::d_define:
                declared_.insert(node.children[0]->text);
                break;
            default:
                break;
        }
        for (const SyntaxNode* c : node.children) declared(*c);
    };
    declared_ = {"setup", "play"};
    declared(*syntax.root);
    read(*syntax.root, language, "");
}

void Quotes::add(const std::string& name, const std::string& language, const SyntaxNode& text) {
    if (text.text.empty() || text.text.find('{') != std::string::npos || !declared_.contains(name)) return;
    quotes_[name].push_back({language, text.text, text.span});
}

void Quotes::read(const SyntaxNode& node, const std::string& language, std::string within) {
    switch (node.kind) {
        case Kind::d_setup:
            within = "setup";
            if (const SyntaxNode* t = child(node, Kind::text)) add(within, language, *t);
            break;
        case Kind::d_play:
            within = "play";
            if (const SyntaxNode* t = child(node, Kind::text)) add(within, language, *t);
            break;
        case Kind::d_game:
        case Kind::d_rule:
        case Kind::d_match:
        case Kind::d_act:
        case Kind::d_end:
        case Kind::end_entry:
        case Kind::d_option:
            within = node.children[0]->text;
            if (const SyntaxNode* t = child(node, Kind::text)) add(within, language, *t);
            break;
        case Kind::d_texts:
            for (std::size_t i = 1; i < node.children.size(); ++i) {
                const SyntaxNode& label = *node.children[i];
                if (label.children.size() == 2) add(label.children[0]->text, node.children[0]->text, *label.children[1]);
            }
            return;
        case Kind::d_example:
        case Kind::d_labels:
            return;
        case Kind::s_must:
        case Kind::s_may:
        case Kind::s_may_do:
            if (const SyntaxNode* t = child(node, Kind::text)) add(within, language, *t);
            break;
        default:
            break;
    }
    for (const SyntaxNode* c : node.children) read(*c, language, within);
}

const std::vector<Quote>& Quotes::of(const std::string& name) const {
    static const std::vector<Quote> none;
    const auto at = quotes_.find(name);
    return at == quotes_.end() ? none : at->second;
}

bool Quotes::say(const std::string& name, Topic what) const {
    const std::vector<Quote>& texts = of(name);
    return std::any_of(texts.begin(), texts.end(), [&](const Quote& q) { return says(q.text, what); });
}

bool Quotes::any_sentence(const std::function<bool(const std::string&)>& f) const {
    return std::ranges::any_of(quotes_, [&](const auto& of) {
        return std::ranges::any_of(of.second, [&](const Quote& q) { return std::ranges::any_of(sentences(q.text), f); });
    });
}

bool Quotes::say_who_begins() const {
    if (say("setup", Topic::who_begins) || say("play", Topic::who_begins)) return true;
    return any_sentence([](const std::string& s) { return says(s, Topic::who_begins) && !says(s, Topic::next_first); });
}

bool Quotes::say_who_wins_a_tie() const {
    return any_sentence([](const std::string& s) { return says(s, Topic::tie) && (has_word(s, "win") || has_word(s, "勝")); });
}

bool Quotes::number_with(std::int64_t number, const std::vector<std::string>& words) const {
    constexpr std::size_t enough = 4;
    const auto has_some = [&](const std::string& sentence) {
        return std::any_of(words.begin(), words.end(), [&](const std::string& w) {
            return !w.empty() && has_word(sentence, is_ascii_text(w) && w.size() > enough ? w.substr(0, enough) : w);
        });
    };
    for (const auto& [name, texts] : quotes_)
        for (const Quote& q : texts)
            for (const std::string& s : sentences(q.text))
                if (numbers_said(s, 1).contains(number) && has_some(s)) return true;
    return false;
}

std::set<std::int64_t> Quotes::starts_said(const std::string& name) const {
    constexpr std::size_t enough = 3;
    std::set<std::int64_t> said;
    const std::string noun = name.ends_with('s') ? name.substr(0, name.size() - 1) : name;
    if (noun.size() < enough) return said;
    for (const Quote& q : of("setup")) said.merge(numbers_before(q.text, noun));
    return said;
}

}  // namespace houserule
