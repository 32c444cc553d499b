// A table with people at pages: who may do what, what each is sent, and when. It knows no sockets and no clock: see Outside.
//
// A page says who it is with a token, then it is sent what its seat noticed, line by line and numbered, and says what its person does. The
// game goes on elsewhere (`Outside::work`), is written to its log, and only then told. Frames of a seat are made as frames.hpp says.
//
// Pace: after each thing that everybody notices all wait equally long, whether somebody is asked then or not, so that how long it takes
// tells nothing; what follows comes bit by bit. A pause ends early when all people say so, and all are offered that. Without a pace all is
// told at once, but what happened before somebody deduces is not held up by that, and people are asked before a window closes.
#pragma once

#include "interpreter/app/play/go_on.hpp"
#include "interpreter/app/play/play_session.hpp"
#include "interpreter/app/serve/frames.hpp"
#include "interpreter/app/serve/kept_table.hpp"
#include "interpreter/app/serve/replay.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace houserule::cli {

// What a table needs of the world. Everything is called, and calls back, on one thread; only `job` runs elsewhere.
class Outside {
public:
    virtual ~Outside() = default;
    virtual void send(std::uint64_t page, std::string frame) = 0;
    virtual void close(std::uint64_t page) = 0;
    virtual void work(std::function<void()> job, std::function<void()> then) = 0;
    // The same where players of the program think, which may take long: it takes no time from `work`.
    virtual void ponder(std::function<void()> job, std::function<void()> then) = 0;
    // The same for what nobody waits for: it takes no time from either.
    virtual void think(std::function<void()> job, std::function<void()> then) = 0;
    virtual void later(std::chrono::milliseconds time, std::function<void()> then) = 0;
};

struct TableSettings {
    std::chrono::milliseconds pace{0};
    std::string run;                           // of this run of the server: pages that were told by another one begin again
    std::function<std::uint64_t()> next_seed;  // of a rematch
    // A game as a table is set before it begins, with nobody seated; nothing where the rules do not allow it so.
    std::function<std::optional<Session>(const KeptTable&)> set_up = {};
    bool read_only = false;  // it can be looked at, and nothing more: its rules were changed
};

class Table {
public:
    // `session`: recorded, with a log to write. `tokens`: those that are known in clear, by what they open; for the host to hand on.
    Table(Session session, KeptTable kept, std::map<std::string, std::string> tokens, TableSettings settings, Outside& outside,
          const Globals& g);

    // Goes on with a game that had begun.
    void resume();
    void said(std::uint64_t page, const std::string& message);
    void left(std::uint64_t page);
    bool is_over() const { return phase_ == Phase::over || phase_ == Phase::broken; }

private:
    enum class Phase : std::uint8_t { lobby, playing, over, broken };
    enum class Role : std::uint8_t { nobody, host, seat, watch };

    // What a seat is asked. Of choices made together all are asked at once, and what they answer waits until all have.
    struct Asked {
        Json question;
        std::vector<std::byte> state;  // where it is asked
    };
    struct Answered {
        StepId step = no_id;
        NodeKind kind = NodeKind::choose;
        std::uint64_t move = 0;
        std::vector<std::int32_t> values;  // that the move stands for
    };
    // A decision of a person, as it was before.
    struct Decided {
        Moment before;
        std::uint64_t move = 0;
    };
    // Somebody wants to take back what they decided.
    struct TakingBack {
        int by = -1;
        Seats agreed = no_seats;
    };
    // What somebody was told: a seat, or all who look on.
    struct Viewer {
        int seat = spectator;
        SeatTable table;
        std::size_t told = 0;  // events
        Events noticed;
        std::vector<Json> lines;
        std::uint64_t version = 1;       // grows with all that its pages are sent
        std::shared_ptr<Stop> thinking;  // about a hint, until it is told or cancelled
        std::deque<std::string> done;
        std::uint64_t questions = 0;  // that it was asked
    };
    struct Page {
        Role role = Role::nobody;
        std::size_t viewer = 0;
        std::size_t lines = 0;  // sent
        std::uint64_t version = 0;
        std::uint64_t table_version = 0;
        std::uint64_t links_version = 0;
        bool end_told = false;
    };
    // A frame that is the same for all who get it, and how often it has become another one.
    struct Shared {
        Json frame;
        std::uint64_t version = 0;
        void become(Json now) {
            if (now != frame) frame = std::move(now), ++version;
        }
    };

    // A frame that is made of the rules alone, the same for all, once a page wants it.
    struct OnDemand {
        std::shared_ptr<const std::string> frame{};
        std::vector<std::uint64_t> wanted_by{};  // while it is made
    };
    using MadeOfRules = Json (*)(const Loaded&, const Settings&, const Machine&);

    // What pages say.
    void hello(std::uint64_t id, const Json& message);
    void of_seat(std::uint64_t id, Page& page, const std::string& type, const Json& message);
    void of_host(std::uint64_t id, const std::string& type, const Json& message);
    void sit(std::uint64_t id, int seat, const Json& message);
    void move(std::uint64_t id, int seat, const Json& message);
    void want(int seat, const Json& message);
    void pass(int seat);
    std::optional<SeatQuestion> question_on_page(int seat);
    void hint(std::uint64_t id, Viewer& viewer, bool whole);
    void cancel_hint(Viewer& viewer);
    void reseat(std::uint64_t id, const Json& message);
    void relink(std::uint64_t id, const Json& message);
    void set(std::uint64_t id, const Json& message);
    void set_up(std::uint64_t id, const Json& message);
    bool set_up_as(const Json& message, KeptTable& kept) const;
    void seat_anew(Session session);
    void end_game(std::uint64_t id);
    void hand_over(std::uint64_t id, const Json& message);
    void take_seat_back(std::uint64_t id, int seat);
    void rethink(std::uint64_t id, int seat);
    void want_back(std::uint64_t id, int seat);
    void agree(std::uint64_t id, int seat, const Json& message);
    void why(std::uint64_t id, int seat, const Json& message);
    void show_rules(std::uint64_t id, OnDemand& shown, MadeOfRules make);
    bool wants_rules(std::uint64_t id, const std::string& type);
    void eyes(std::uint64_t id, const Page& page, const Json& message);
    void show(std::uint64_t id, const Json& message);

    // How the game goes on.
    void start(std::uint64_t id);
    void again(std::uint64_t id, int seat, const Json& message);
    void begin_again(std::uint64_t id);
    void sit_down(Session session);
    void advance(std::optional<Moment> before = std::nullopt, Thoughts thoughts = Thoughts::none);
    void advanced();
    void take_back();
    std::optional<std::size_t> next_stop() const;
    bool tells_by_and_by() const { return settings_.pace.count() > 0 || session_.deducing != no_seats; }
    void tell_up_to(std::size_t end);
    bool do_all_notice(const Event& e) const;
    void release();
    void pause();
    void end_pause();
    void ask_to_pass(Seats who);
    void open();
    void open_window();
    void ask();
    std::map<int, Asked> asked_together() const;
    void ask_together();
    void open_question(int seat, Asked asked);
    void ask_no_more();
    bool is_answered() const;
    Thoughts thoughts_after_answers() const;
    void answer_all(Thoughts thoughts);
    bool answer_one();
    void finish();
    void end_with(Json end);
    void go_back_to(std::size_t decision, std::uint64_t id);
    void put_pages_out(Role role, std::size_t viewer);
    void act_now(std::size_t act, int seat);
    bool goes_back(const Opening& opening, int seat) const;

    // What pages are sent.
    void send(std::uint64_t page, const Json& frame) { outside_.send(page, text_of(frame)); }
    static std::string text_of(const Json& frame) { return frame.dump(-1, ' ', false, Json::error_handler_t::replace); }
    void refuse(std::uint64_t page, const char* why, const Json& of);
    void tell();
    void tell_page(std::uint64_t id, Page& page);
    std::string names() const;
    Json you(const Page& page) const;
    Json news(const Viewer& viewer, std::size_t from) const;
    Json table_news() const;
    Json host_news() const;
    void changed() { is_changed_ = true; }
    bool is_asked(int seat) const { return open_.contains(seat) && !busy_ && phase_ == Phase::playing; }
    bool is_here(int seat) const;
    bool is_ready() const;
    Viewer& viewer_of(int seat) { return viewers_[seat]; }
    bool keep_table(KeptTable kept);
    void add_viewers();

    Session session_;                      // belongs to the job while `busy_`
    std::shared_ptr<const Loaded> rules_;  // for those who think about them; the session has none
    std::shared_ptr<const Machine> machine_;
    KeptTable kept_;
    std::map<std::string, std::string> tokens_;
    TableSettings settings_;
    Outside& outside_;
    Globals g_;
    std::string names_;  // the frame, the same for all
    OnDemand book_;
    OnDemand turn_;                      // drawn
    std::map<int, Answered> answering_;  // belongs to the job while `busy_`

    Phase phase_ = Phase::lobby;
    bool busy_ = false;
    bool is_done_ = false;  // of the job: it is done, and the time for it is over
    bool is_due_ = true;
    bool paused_ = false;       // events are told bit by bit, or a pause after them lasts
    std::uint64_t pauses_ = 0;  // that have begun or ended: an end that comes late is of another one
    Waiting waiting_;
    std::size_t released_ = 0;                  // events told
    bool all_noticed_ = false;                  // the last of them was noticed by all
    std::map<int, Asked> open_;                 // by seat
    std::map<int, Answered> answers_;           // of those
    std::map<int, std::uint64_t> coming_back_;  // who wants their seat back, and at which page, while somebody thinks
    std::vector<Decided> decided_;              // belongs to the job while `busy_`
    std::optional<TakingBack> taking_back_;
    std::pair<int, std::size_t> declined_{-1, 0};        // whose wish to take back, and how many events had been then
    std::vector<std::size_t> hinted_;                    // by seat: how often a hint was asked for
    std::optional<std::pair<int, std::string>> handed_;  // the host's new link, to whom
    std::vector<Seats> wishes_;                          // by act: who does it as soon as it may be done
    Seats passing_ = no_seats;                           // people who may still act there, or have not seen enough
    Json end_;
    std::vector<bool> ready_;                                  // in the lobby: who sits; after the end: who wants another game
    std::string run_;                                          // of this game
    std::shared_ptr<Replay> replay_;                           // of a game that is over, once somebody wants it
    std::vector<std::pair<std::uint64_t, Json>> to_be_shown_;  // pages that wait for it
    bool is_changed_ = true;                                   // something that may stand in `table_told_` or `links_told_`
    Shared table_told_;                                        // without the end
    Shared links_told_;                                        // for hosts

    // For when it cannot be written.
    std::optional<Moment> before_;
    std::vector<Seats> wishes_before_;
    std::pair<std::size_t, int> acted_{0, -1};  // an act that somebody went back for
    Waiting waiting_before_;
    std::size_t decided_before_ = 0;
    std::uint64_t mover_ = 0;
    int moving_ = -1;
    bool moved_told_ = false;  // that it was heard; else it is told when it is written
    Json moved_;

    std::vector<Viewer> viewers_;  // the seats, then who looks on
    std::map<std::uint64_t, Page> pages_;
};

}  // namespace houserule::cli
