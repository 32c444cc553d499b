#include "interpreter/app/simulation/ranks.hpp"

#include <algorithm>
#include <cstdlib>
#include <mutex>
#include <utility>

#ifdef HOUSERULE_MPI
#include <mpi.h>
#endif

namespace houserule::cli {

namespace {

std::uint64_t number_in(const char* variable) {
    const char* const text = std::getenv(variable);
    return text == nullptr ? 0 : std::strtoull(text, nullptr, 10);
}
// So many were started together, as the starter says: `mpirun`, or `srun` with its own way to do that.
std::uint64_t processes_started() {
    const std::uint64_t by_slurm = std::getenv("PMIX_RANK") != nullptr ? number_in("SLURM_STEP_NUM_TASKS") : 0;
    return std::max({std::uint64_t{1}, number_in("OMPI_COMM_WORLD_SIZE"), number_in("PMI_SIZE"), by_slurm});
}

}  // namespace

#ifdef HOUSERULE_MPI

namespace {

constexpr std::uint64_t most_at_once = std::uint64_t{1} << 26;  // words or bytes in one message
constexpr int about_length = 1;
constexpr int about_content = 2;

int narrow(std::uint64_t n) { return std::min<std::uint64_t>(n, most_at_once); }

// In messages that are not too long.
template <typename T>
void send(const std::vector<T>& all, MPI_Datatype type, int to) {
    const std::uint64_t length = all.size();
    MPI_Send(&length, 1, MPI_UINT64_T, to, about_length, MPI_COMM_WORLD);
    for (std::uint64_t at = 0; at < length; at += most_at_once)
        MPI_Send(all.data() + at, narrow(length - at), type, to, about_content, MPI_COMM_WORLD);
}
template <typename T>
std::vector<T> receive(MPI_Datatype type, int from) {
    std::uint64_t length = 0;
    MPI_Recv(&length, 1, MPI_UINT64_T, from, about_length, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    std::vector<T> all(length);
    for (std::uint64_t at = 0; at < length; at += most_at_once)
        MPI_Recv(all.data() + at, narrow(length - at), type, from, about_content, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return all;
}

}  // namespace

struct Ranks::Joined {
    std::mutex mutex;  // one thread at a time talks to the others
    MPI_Win window = MPI_WIN_NULL;

    Joined() {
        int given = 0;
        MPI_Init_thread(nullptr, nullptr, MPI_THREAD_SERIALIZED, &given);
        // The counter is memory of the process that leads; the others read and raise it without asking.
        int rank = 0;
        MPI_Comm_rank(MPI_COMM_WORLD, &rank);
        std::uint64_t* counter = nullptr;
        MPI_Win_allocate(rank == 0 ? sizeof *counter : 0, sizeof *counter, MPI_INFO_NULL, MPI_COMM_WORLD, &counter, &window);
        MPI_Win_lock_all(0, window);
        if (rank == 0) *counter = 0;
        MPI_Win_sync(window);
        MPI_Barrier(MPI_COMM_WORLD);
    }
    ~Joined() {
        MPI_Barrier(MPI_COMM_WORLD);
        MPI_Win_unlock_all(window);
        MPI_Win_free(&window);
        MPI_Finalize();
    }
    Joined(const Joined&) = delete;
    Joined& operator=(const Joined&) = delete;
};

std::optional<Ranks> Ranks::join(const Globals&) {
    Ranks ranks;
    if (processes_started() == 1) return ranks;
    ranks.joined_ = std::make_unique<Joined>();
    int rank = 0;
    int size = 1;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    ranks.rank_ = rank;
    ranks.size_ = size;
    return ranks;
}

bool Ranks::all_can(const std::function<bool()>& prepare) {
    if (alone()) return prepare();
    int fine = leads() && prepare() ? 1 : 0;
    MPI_Bcast(&fine, 1, MPI_INT, 0, MPI_COMM_WORLD);
    if (fine == 0) return false;
    if (!leads()) fine = prepare() ? 1 : 0;
    int all_fine = 0;
    MPI_Allreduce(&fine, &all_fine, 1, MPI_INT, MPI_MIN, MPI_COMM_WORLD);
    return all_fine != 0;
}

std::uint64_t Ranks::next() {
    if (alone()) return own_next_++;
    const std::lock_guard lock(joined_->mutex);
    const std::uint64_t one = 1;
    std::uint64_t number = 0;
    MPI_Fetch_and_op(&one, &number, MPI_UINT64_T, 0, 0, MPI_SUM, joined_->window);
    MPI_Win_flush(0, joined_->window);
    return number;
}

std::vector<std::string> Ranks::gathered(const std::string& text) {
    if (alone()) return {text};
    if (!leads()) return send(std::vector<char>(text.begin(), text.end()), MPI_CHAR, 0), std::vector<std::string>{};
    std::vector<std::string> all{text};
    for (std::uint64_t from = 1; from < size_; ++from) {
        const std::vector<char> other = receive<char>(MPI_CHAR, narrow(from));
        all.emplace_back(other.begin(), other.end());
    }
    return all;
}

std::vector<std::vector<std::uint64_t>> Ranks::exchanged(std::vector<std::vector<std::uint64_t>> to) {
    if (alone()) return to;
    std::vector<std::vector<std::uint64_t>> from(size_);
    from[rank_] = std::move(to[rank_]);
    for (std::uint64_t step = 1; step < size_; ++step) {
        const std::uint64_t next = (rank_ + step) % size_;
        const std::uint64_t before = (rank_ + size_ - step) % size_;
        const std::vector<std::uint64_t> sent = std::exchange(to[next], {});
        const std::uint64_t length = sent.size();
        std::uint64_t coming = 0;
        MPI_Sendrecv(&length, 1, MPI_UINT64_T, narrow(next), about_length, &coming, 1, MPI_UINT64_T, narrow(before), about_length,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        from[before].resize(coming);
        // Where nothing is left in one direction, no message goes there.
        for (std::uint64_t at = 0; at < std::max(length, coming); at += most_at_once) {
            const std::uint64_t out_at = std::min(at, length);
            const std::uint64_t in_at = std::min(at, coming);
            MPI_Sendrecv(sent.data() + out_at, narrow(length - out_at), MPI_UINT64_T, out_at < length ? narrow(next) : MPI_PROC_NULL,
                         about_content, from[before].data() + in_at, narrow(coming - in_at), MPI_UINT64_T,
                         in_at < coming ? narrow(before) : MPI_PROC_NULL, about_content, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        }
    }
    return from;
}

void Ranks::serve() {
    if (alone()) return;
    const std::lock_guard lock(joined_->mutex);
    int any = 0;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &any, MPI_STATUS_IGNORE);
}

void Ranks::wait_for_all() {
    if (!alone()) MPI_Barrier(MPI_COMM_WORLD);
}

void Ranks::give_up() {
    if (!alone()) MPI_Abort(MPI_COMM_WORLD, exit_cannot);
}

#else

struct Ranks::Joined {};

std::optional<Ranks> Ranks::join(const Globals& g) {
    const std::uint64_t started = processes_started();
    if (started == 1) return Ranks();
    err(say(g, Text::built_without_mpi, started));
    return std::nullopt;
}

bool Ranks::all_can(const std::function<bool()>& prepare) { return prepare(); }
std::uint64_t Ranks::next() { return own_next_++; }
void Ranks::serve() {}
std::vector<std::string> Ranks::gathered(const std::string& text) { return {text}; }
std::vector<std::vector<std::uint64_t>> Ranks::exchanged(std::vector<std::vector<std::uint64_t>> to) { return to; }
void Ranks::wait_for_all() {}
void Ranks::give_up() {}

#endif

Ranks::Ranks() = default;
Ranks::Ranks(Ranks&&) noexcept = default;
Ranks& Ranks::operator=(Ranks&&) noexcept = default;
Ranks::~Ranks() = default;

}  // namespace houserule::cli
