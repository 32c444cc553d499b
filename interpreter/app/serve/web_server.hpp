// The server of one table: pages by HTTP, and a WebSocket a page. What it is sent is not trusted: Host and Origin are checked, sizes, rates
// and times are limited, and who does not read what is sent is closed.
//
// One thread reads and writes (`run`); two others do the table's work. Less urgent, one plays for players who deduce, in turn with those of
// other servers (turns.hpp), and one, least urgent, thinks about hints: on a busy machine people's pages come first, also those of other
// servers. Nothing of the library it is made of is seen here: that takes long to compile.
#pragma once

#include "interpreter/app/serve/guard.hpp"
#include "interpreter/app/serve/table.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace houserule::cli {

inline constexpr std::size_t queue_most = 256 * 1024;   // bytes that wait to be read by a page
inline constexpr std::size_t message_most = 64 * 1024;  // bytes a page says at once
inline constexpr std::size_t header_most = 8 * 1024;    // bytes of a request
inline constexpr int messages_a_second = 20;            // of a page, for long
inline constexpr std::size_t connections_most = 512;

class WebServer : public Outside {
public:
    WebServer();
    ~WebServer() override;
    WebServer(const WebServer&) = delete;
    WebServer& operator=(const WebServer&) = delete;

    // Takes a port, of the loopback or of all interfaces; port 0: any that is free. An errno, or 0.
    int listen(bool lan, std::uint16_t port);
    std::uint16_t port() const;
    // Answers until `stop`, or until Ctrl-C is pressed.
    void run(Table& table, const Hosts& hosts);
    // From any thread.
    void stop();

    void send(std::uint64_t page, std::string frame) override;
    void close(std::uint64_t page) override;
    void work(std::function<void()> job, std::function<void()> then) override;
    void ponder(std::function<void()> job, std::function<void()> then) override;
    void think(std::function<void()> job, std::function<void()> then) override;
    void later(std::chrono::milliseconds time, std::function<void()> then) override;

    struct Impl;

private:
    std::unique_ptr<Impl> impl_;
};

}  // namespace houserule::cli
