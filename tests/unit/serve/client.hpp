// A page as the server sees one: a WebSocket, or only bytes. Every wait ends after some seconds.
#pragma once

#include <nlohmann/json.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>

namespace houserule::testing {

struct Asked {
    std::string host;    // empty: that of the port on localhost
    std::string origin;  // empty: that of the host; `-`: none
    std::string target = "/table";
};

class Client {
public:
    explicit Client(std::uint16_t port);
    ~Client();
    Client(const Client&) = delete;
    Client& operator=(const Client&) = delete;

    // Becomes a WebSocket. The status of the answer: 101 if it did; 0 when there was none.
    int upgrade(const Asked& asked = {});
    void say(const nlohmann::json& message);
    // The next frame; nothing when the connection was closed, or when none comes.
    std::optional<nlohmann::json> hear();
    // The next frame of that type; those before it are forgotten.
    std::optional<nlohmann::json> hear(const std::string& type);

    // As bytes.
    void write(const std::string& bytes);
    // What comes until the other side closes, or until so many bytes came.
    std::string read(std::size_t most = std::string::npos);

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace houserule::testing
