#include "tests/unit/serve/client.hpp"

#include <fmt/format.h>
#include <boost/asio/buffer.hpp>
#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/write.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include <array>
#include <chrono>

namespace houserule::testing {

namespace asio = boost::asio;
namespace beast = boost::beast;
using Tcp = asio::ip::tcp;
using Error = boost::system::error_code;

namespace {

constexpr std::chrono::seconds patience{60};

}  // namespace

struct Client::Impl {
    asio::io_context io;
    beast::websocket::stream<Tcp::socket> socket{io};
    beast::flat_buffer buffer;
    std::uint16_t port = 0;

    // Whether something begun comes to a good end in some seconds; else the connection is closed.
    bool finish(const std::optional<Error>& result) {
        io.restart();
        for (const auto until = std::chrono::steady_clock::now() + patience; !result && io.run_one_until(until) > 0;) {
        }
        if (result) return !*result;
        Error ignored;
        socket.next_layer().close(ignored);
        io.restart();
        io.run();
        return false;
    }
};

Client::Client(std::uint16_t port) : impl_(std::make_unique<Impl>()) {
    impl_->port = port;
    impl_->socket.next_layer().connect({asio::ip::address_v4::loopback(), port});
}
Client::~Client() {
    Error ignored;
    impl_->socket.next_layer().close(ignored);
}

int Client::upgrade(const Asked& asked) {
    const std::string host = asked.host.empty() ? fmt::format("localhost:{}", impl_->port) : asked.host;
    const std::string origin = asked.origin.empty() ? "http://" + host : asked.origin;
    impl_->socket.set_option(beast::websocket::stream_base::decorator([&](beast::websocket::request_type& request) {
        if (origin != "-") request.set(beast::http::field::origin, origin);
    }));
    beast::websocket::response_type response;
    Error error;
    impl_->socket.handshake(response, host, asked.target, error);
    return static_cast<int>(response.result_int());
}

void Client::say(const nlohmann::json& message) {
    Error ignored;
    impl_->socket.text(true);
    impl_->socket.write(asio::buffer(message.dump()), ignored);
}

std::optional<nlohmann::json> Client::hear() {
    impl_->buffer.consume(impl_->buffer.size());
    std::optional<Error> read;
    impl_->socket.async_read(impl_->buffer, [&](Error error, std::size_t) { read = error; });
    if (!impl_->finish(read)) return std::nullopt;
    return nlohmann::json::parse(beast::buffers_to_string(impl_->buffer.data()));
}

std::optional<nlohmann::json> Client::hear(const std::string& type) {
    for (;;) {
        auto frame = hear();
        if (!frame || (*frame)["t"] == type) return frame;
    }
}

void Client::write(const std::string& bytes) {
    Error ignored;
    asio::write(impl_->socket.next_layer(), asio::buffer(bytes), ignored);
}

std::string Client::read(std::size_t most) {
    std::string all;
    std::array<char, 4096> part{};
    for (bool more = true; more && all.size() < most;) {
        std::optional<Error> read;
        impl_->socket.next_layer().async_read_some(asio::buffer(part), [&](Error error, std::size_t n) {
            all.append(part.data(), n);
            read = error;
        });
        more = impl_->finish(read);
    }
    return all;
}

}  // namespace houserule::testing
