#include "tests/random/attempt.hpp"

#include <fmt/format.h>

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <exception>
#include <sstream>
#include <stdexcept>

namespace houserule::random_games {

namespace {

std::string packed(const Judged& j) {
    std::string text = fmt::format("{}\n{}\n{}\n", static_cast<int>(j.verdict), j.what, j.coverage.size());
    for (const auto& [what, count] : j.coverage) text += fmt::format("{} {}\n", count, what);
    return text + j.detail;
}

Judged unpacked(const std::string& text) {
    Judged j;
    std::istringstream in(text);
    int verdict = 0;
    std::size_t count = 0;
    std::string line;
    in >> verdict >> std::ws;
    j.verdict = static_cast<Verdict>(verdict);
    in.clear();
    std::size_t at = text.find('\n') + 1;
    const std::size_t end = text.find('\n', at);
    j.what = text.substr(at, end - at);
    in.seekg(static_cast<std::streamoff>(end + 1));
    in >> count >> std::ws;
    for (; count > 0; --count) {
        std::uint64_t times = 0;
        in >> times >> std::ws;
        std::getline(in, line);
        j.coverage[line] = times;
    }
    if (in.good()) j.detail = text.substr(static_cast<std::size_t>(in.tellg()));
    return j;
}

void write_all(int to, const std::string& text) {
    for (std::size_t done = 0; done < text.size();) {
        const auto n = ::write(to, text.data() + done, text.size() - done);
        if (n <= 0) return;
        done += static_cast<std::size_t>(n);
    }
}

std::string read_all(int from) {
    std::string text;
    std::array<char, 65536> buffer{};
    for (;;) {
        const auto n = ::read(from, buffer.data(), buffer.size());
        if (n < 0 && errno == EINTR) continue;
        if (n <= 0) return text;
        text.append(buffer.data(), static_cast<std::size_t>(n));
    }
}

Judged judged_here(const Tier& tier, const std::function<Choices()>& choices, const Avoiding& avoiding, std::uint64_t seed) {
    Choices first = choices();
    const GeneratedGame game = generate(first, avoiding);
    Choices second = choices();
    return tier.judge(game, generate(second, avoiding, true), seed);
}

[[noreturn]] void child(const Tier& tier, int to, const std::function<Judged()>& judge) {
    const rlimit cpu{tier.cpu_seconds, tier.cpu_seconds + 1};
    ::setrlimit(RLIMIT_CPU, &cpu);
    const rlimit core{0, 0};
    ::setrlimit(RLIMIT_CORE, &core);
    Judged j;
    try {
        j = judge();
    } catch (const std::exception& e) {
        j = {Verdict::wrong, fmt::format("an exception: {}", e.what()), "", {}};
    }
    write_all(to, packed(j));
    ::_exit(0);
}

Judged apart(const Tier& tier, const std::function<Judged()>& judge) {
    std::fflush(nullptr);  // what is not written yet would be written by the child as well
    std::array<int, 2> ends{};
    if (::pipe(ends.data()) != 0) throw std::runtime_error("no pipe");
    const pid_t pid = ::fork();
    if (pid < 0) throw std::runtime_error("no process");
    if (pid == 0) {
        ::close(ends[0]);
        child(tier, ends[1], judge);
    }
    ::close(ends[1]);
    const std::string text = read_all(ends[0]);
    ::close(ends[0]);
    int status = 0;
    while (::waitpid(pid, &status, 0) < 0 && errno == EINTR) {
    }
    if (WIFEXITED(status) && WEXITSTATUS(status) == 0) return unpacked(text);
    if (WIFSIGNALED(status)) return {Verdict::wrong, fmt::format("signal {}", WTERMSIG(status)), "", {}};
    return {Verdict::wrong, fmt::format("exit code {}", WEXITSTATUS(status)), "", {}};
}

}  // namespace

Judged attempt(const Tier& tier, const std::function<Choices()>& choices, const Avoiding& avoiding, std::uint64_t seed) {
    return apart(tier, [&] { return judged_here(tier, choices, avoiding, seed); });
}

Judged attempt(const Tier& tier, const std::string& text, std::uint64_t seed) {
    GeneratedGame game;
    game.text = text;
    return apart(tier, [&] { return tier.judge(game, game, seed); });
}

// ---- shrinking ---------------------------------------------------------------------------------------------------------------

namespace {

using Stream = std::vector<std::uint32_t>;

class Shrinker {
public:
    Shrinker(const Tier& tier, Stream stream, std::string what, const Avoiding& avoiding, std::uint64_t seed)
        : tier_(tier), best_(std::move(stream)), what_(std::move(what)), avoiding_(avoiding), seed_(seed), left_(tier.shrinking_attempts) {}
    Stream run();

private:
    bool smaller(const Stream& candidate);
    bool without_parts();
    bool lifted_parts();
    bool zeroed_parts();
    bool lower_numbers();
    std::vector<Part> parts() const;

    const Tier& tier_;
    Stream best_;
    std::string what_;
    const Avoiding& avoiding_;
    std::uint64_t seed_;
    int left_;
};

// Takes the candidate over if it is simpler and shows the same.
bool Shrinker::smaller(const Stream& candidate) {
    if (left_ <= 0) return false;
    Choices c(candidate);
    generate(c, avoiding_);
    Stream now = c.recorded();
    while (!now.empty() && now.back() == 0) now.pop_back();
    if (now.size() > best_.size() || (now.size() == best_.size() && now >= best_)) return false;
    --left_;
    const Judged j = attempt(
        tier_, [&] { return Choices(now); }, avoiding_, seed_);
    if (j.verdict != Verdict::wrong || j.what != what_) return false;
    best_ = std::move(now);
    return true;
}

// The largest first.
std::vector<Part> Shrinker::parts() const {
    Choices c(best_);
    generate(c, avoiding_);
    std::vector<Part> all = c.parts();
    std::erase_if(all, [&](const Part& p) { return p.begin >= best_.size() || p.end <= p.begin; });
    for (Part& p : all) p.end = std::min(p.end, best_.size());
    std::stable_sort(all.begin(), all.end(), [](const Part& a, const Part& b) { return a.end - a.begin > b.end - b.begin; });
    return all;
}

bool Shrinker::without_parts() {
    for (const Part& p : parts()) {
        Stream candidate = best_;
        const auto begin = candidate.begin() + static_cast<std::ptrdiff_t>(p.begin);
        candidate.erase(begin, candidate.begin() + static_cast<std::ptrdiff_t>(p.end));
        if (smaller(candidate)) return true;
        // With the number before it, which said that there is one more.
        if (p.begin == 0) continue;
        candidate.erase(candidate.begin() + static_cast<std::ptrdiff_t>(p.begin) - 1);
        if (smaller(candidate)) return true;
    }
    return false;
}

// A part in the place of one of its kind around it.
bool Shrinker::lifted_parts() {
    const std::vector<Part> all = parts();
    for (const Part& outer : all)
        for (const Part& inner : all) {
            if (inner.label != outer.label || inner.begin <= outer.begin || inner.end > outer.end) continue;
            Stream candidate(best_.begin(), best_.begin() + static_cast<std::ptrdiff_t>(outer.begin));
            candidate.insert(candidate.end(), best_.begin() + static_cast<std::ptrdiff_t>(inner.begin),
                             best_.begin() + static_cast<std::ptrdiff_t>(inner.end));
            candidate.insert(candidate.end(), best_.begin() + static_cast<std::ptrdiff_t>(outer.end), best_.end());
            if (smaller(candidate)) return true;
        }
    return false;
}

bool Shrinker::zeroed_parts() {
    for (const Part& p : parts()) {
        Stream candidate = best_;
        std::fill(candidate.begin() + static_cast<std::ptrdiff_t>(p.begin), candidate.begin() + static_cast<std::ptrdiff_t>(p.end), 0U);
        if (smaller(candidate)) return true;
    }
    return false;
}

bool Shrinker::lower_numbers() {
    bool any = false;
    for (std::size_t i = 0; i < best_.size() && left_ > 0; ++i) {
        for (const bool to_zero : {true, false}) {
            if (i >= best_.size() || best_[i] == 0) continue;
            Stream candidate = best_;
            candidate[i] = to_zero ? 0 : candidate[i] - 1;
            any = smaller(candidate) || any;
        }
        if (i >= best_.size()) continue;
        Stream candidate = best_;
        candidate.erase(candidate.begin() + static_cast<std::ptrdiff_t>(i));
        any = smaller(candidate) || any;
    }
    return any;
}

Stream Shrinker::run() {
    while (left_ > 0) {
        if (without_parts() || zeroed_parts() || lifted_parts() || lower_numbers()) continue;
        break;
    }
    return best_;
}

}  // namespace

Stream shrunk(const Tier& tier, Stream stream, const std::string& what, const Avoiding& avoiding, std::uint64_t seed) {
    return Shrinker(tier, std::move(stream), what, avoiding, seed).run();
}

}  // namespace houserule::random_games
