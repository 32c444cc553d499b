// `houserule serve`: a table in the browser. A link is a seat; the table is kept in a folder, and goes on from there.
#include "interpreter/app/serve/serve.hpp"

#include "interpreter/app/common/files.hpp"
#include "interpreter/app/common/open_log.hpp"
#include "interpreter/app/common/table.hpp"
#include "interpreter/app/common/words.hpp"
#include "interpreter/app/play/begin_session.hpp"
#include "interpreter/app/serve/secrets.hpp"
#include "interpreter/app/serve/web_server.hpp"
#include "interpreter/app/terminal/qr_code.hpp"
#include "interpreter/log/log.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>

namespace houserule::cli {

namespace {

constexpr double usual_pace = 1;                    // seconds
constexpr double pace_for_acts = 3;                 // to think whether to act
using Tokens = std::map<std::string, std::string>;  // in clear, by what they open

struct Opened {
    Session session;
    KeptTable kept;
    Tokens tokens;
    bool read_only = false;
};

std::string rules_path(const Session& s) {
    std::error_code error;
    return std::filesystem::weakly_canonical(s.rules.path, error).string();
}

// The rules as they are now, for when their files have changed.
bool copy_rules(const Session& s, const KeptTable& kept, const Globals& g) {
    const std::filesystem::path copy = kept.rules_copy();
    std::map<std::string, std::string> files{{copy.string(), std::string(s.rules.sources[0].text())}};
    for (const Source& source : s.rules.sources)
        if (!is_log(source.text()))
            files.emplace((copy.parent_path() / std::filesystem::path(source.name()).filename()).string(), source.text());
    return make_folder(copy.parent_path().string(), g) && write_files(files, g);
}

// A fresh token for what it opens; older ones for it open nothing any more.
void give_token(Opened& o, const std::string& opens) {
    std::erase_if(o.kept.tokens, [&](const auto& t) { return t.second == opens; });
    const std::string token = fresh_token();
    o.tokens[opens] = token;
    o.kept.tokens[hash_of(token)] = opens;
}

bool seat_all(Session& s, std::vector<std::string> seats, const Globals& g) {
    std::vector<std::string> everybody;
    for (int p = 0; s.events.empty() && p < s.game().players; ++p) everybody.push_back(fmt::format("P{}=human", p + 1));
    seats.insert(seats.begin(), everybody.begin(), everybody.end());
    return seat_people(std::move(seats), s, g);
}

// A table of its own for a rules file or a log.
std::optional<Opened> new_table(const ServeArgs& args, const std::string& folder, const Globals& g, int& exit_code) {
    const bool from_log = file_is_log(args.file, g);
    TableArgs table = args;
    if (!from_log && !table.seed) table.seed = fresh_seed();
    auto session = from_log ? resumed_session(table, g, exit_code) : begun_session(table, g);
    if (!session || !seat_all(*session, args.seat, g)) return std::nullopt;
    const Game& game = session->game();
    KeptTable kept;
    kept.folder = folder;
    kept.rules = rules_path(*session);
    kept.players = game.players;
    kept.set = args.set;
    kept.reading = args.reading;
    kept.seed = session->head.seed.value_or(0);
    kept.begun = from_log;
    kept.stands_in.resize(game.players, false);
    kept.names.resize(game.players);
    for (const auto& [seat, name] : session->head.names)
        if (seat < game.players) kept.names[seat] = name;
    session->head.hints = session->hints = args.hints || session->head.hints;
    Opened o{std::move(*session), std::move(kept), {}, false};
    for (int p = 0; p < o.kept.players; ++p) {
        give_token(o, std::to_string(p + 1));
        o.kept.seats.emplace_back(sitting(o.session, p));
    }
    give_token(o, "watch");
    return o;
}

// The table that is kept in the folder: where its log stops, or before it began.
std::optional<Opened> kept_table(const ServeArgs& args, const std::string& folder, const Globals& g, int& exit_code) {
    auto kept = read_table(folder, g);
    if (!kept) return std::nullopt;
    TableArgs table;
    table.players = kept->players;
    table.file = kept->begun ? kept->log() : kept->rules;
    table.rules = kept->begun ? kept->rules : "";
    table.seed = kept->seed;
    if (!kept->begun) {
        table.set = kept->set;
        table.reading = kept->reading;
    }
    auto session = kept->begun ? resumed_session(table, g, exit_code) : begun_session(table, g);
    std::error_code ignored;
    bool read_only = false;
    if (!session && kept->begun && std::filesystem::is_regular_file(kept->rules_copy(), ignored)) {
        table.rules = kept->rules_copy();
        session = resumed_session(table, g, exit_code);
        read_only = session.has_value();
    }
    if (!session) return std::nullopt;
    if (!file_is_log(args.file, g)) {
        const auto asked = load(args.file, g);
        std::error_code error;
        if (!asked) return std::nullopt;
        if (std::filesystem::weakly_canonical(asked->path, error).string() != kept->rules)
            return err(say(g, Text::other_rules_at_table, folder, kept->rules)), std::nullopt;
    }
    for (int p = 0; p < kept->players; ++p) seat(*session, p, kept->seats[p]);
    session->head.hints = session->hints = args.hints || session->head.hints;
    return Opened{std::move(*session), std::move(*kept), {}, read_only};
}

// A game for a table that has not begun, as the host sets it.
std::optional<Session> session_for(const KeptTable& kept, const Globals& g) {
    TableArgs table;
    table.file = kept.rules;
    table.players = kept.players;
    table.seed = kept.seed;
    table.set = kept.set;
    table.reading = kept.reading;
    auto session = begun_session(table, g);
    return session && copy_rules(*session, kept, g) ? std::move(session) : std::nullopt;
}

void print_links(const Opened& o, const ServeArgs& args, std::uint16_t port, const Globals& g) {
    std::vector<std::string> hosts{"localhost"};
    if (args.lan)
        for (const std::string& address : addresses_of_this_machine()) hosts.insert(hosts.end() - 1, address);
    if (!args.host.empty()) hosts.insert(hosts.begin(), args.host);
    const auto link = [&](const std::string& kind, const std::string& opens) {
        return fmt::format("http://{}:{}/#{}={}", hosts.front(), port, kind, o.tokens.at(opens));
    };
    out(bold(say(g, Text::table_is_open, name_words(o.session.game(), o.session.game().name, g), o.kept.players), g) + "\n");
    out(say(g, Text::link_of_host, link("host", "host")));
    for (int p = 0; p < o.kept.players; ++p) {
        const std::string opens = std::to_string(p + 1);
        if (!o.session.is_person(p)) continue;
        if (!o.tokens.contains(opens)) {
            out(say(g, Text::link_was_given, seat_words(p)));
            continue;
        }
        out(say(g, Text::link_of_seat, seat_words(p), link("seat", opens)));
        if (args.lan) out(qr_code(link("seat", opens)));
    }
    if (o.tokens.contains("watch")) out(say(g, Text::link_to_look_on, link("watch", "watch")));
    for (std::size_t i = 1; i < hosts.size(); ++i) out(say(g, Text::also_reached_at, fmt::format("http://{}:{}", hosts[i], port)));
    if (args.lan) out(say(g, Text::plain_network));
    out(say(g, Text::table_is_kept_in, o.kept.folder));
}

int serve_table(Opened o, const ServeArgs& args, const Globals& g) {
    give_token(o, "host");
    if (!write_table(o.kept, g) || (!o.read_only && !copy_rules(o.session, o.kept, g))) return exit_cannot;
    const bool begun = o.kept.begun;
    call_seats(o.session.head.names);
    o.session.log_path = o.kept.log();
    o.session.alone = true;  // the folder is held
    if (begun && !o.read_only) {
        keep(o.session, g);
        if (o.session.unsaved) return exit_cannot;
    }
    WebServer server;
    if (const int error = server.listen(args.lan, args.port); error != 0)
        return err(say(g, Text::port_cannot_be_used, args.port, reason_of(error))), exit_cannot;
    print_links(o, args, server.port(), g);
    if (o.read_only) out(say(g, Text::table_is_read_only));
    watch_interrupts();
    o.session.run->stop_on(&stop());
    const double pace = args.pace.value_or(o.session.game().acts.size() > 0 ? pace_for_acts : usual_pace);
    TableSettings settings{std::chrono::milliseconds(std::lround(pace * 1000)), fresh_token().substr(0, 8), fresh_seed};
    settings.set_up = [&g](const KeptTable& kept) { return session_for(kept, g); };
    settings.read_only = o.read_only;
    Table table(std::move(o.session), std::move(o.kept), std::move(o.tokens), settings, server, g);
    if (begun) table.resume();
    server.run(table, {names_of_this_machine(args.lan, args.host), server.port()});
    return exit_interrupted;
}

}  // namespace

int run_serve(const ServeArgs& args, const Globals& g) {
    const auto folder = args.dir.empty() ? folder_for_table(g) : std::optional(args.dir);
    HeldFolder held;
    if (!folder || !held.hold(*folder, g)) return exit_cannot;
    int exit_code = exit_cannot;
    auto opened = is_kept_table(*folder) ? kept_table(args, *folder, g, exit_code) : new_table(args, *folder, g, exit_code);
    return opened ? serve_table(std::move(*opened), args, g) : exit_code;
}

}  // namespace houserule::cli
