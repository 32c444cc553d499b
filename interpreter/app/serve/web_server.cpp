#include "interpreter/app/serve/web_server.hpp"

#include "interpreter/app/common/common.hpp"
#include "interpreter/app/common/files.hpp"
#include "interpreter/app/serve/page_files.hpp"
#include "interpreter/app/serve/turns.hpp"

#include <boost/asio/io_context.hpp>
#include <boost/asio/ip/tcp.hpp>
#include <boost/asio/ip/v6_only.hpp>
#include <boost/asio/post.hpp>
#include <boost/asio/steady_timer.hpp>
#include <boost/asio/thread_pool.hpp>
#include <boost/beast/core.hpp>
#include <boost/beast/http.hpp>
#include <boost/beast/websocket.hpp>

#include <algorithm>
#include <deque>
#include <exception>
#include <map>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/resource.h>
#include <unistd.h>

namespace houserule::cli {

namespace asio = boost::asio;
namespace beast = boost::beast;
namespace http = beast::http;
namespace websocket = beast::websocket;
using Tcp = asio::ip::tcp;
using Error = boost::system::error_code;
using Clock = std::chrono::steady_clock;

namespace {

constexpr auto header_time = std::chrono::seconds(10);  // for a request; a connection that waits longer for one is closed
constexpr auto idle_time = std::chrono::seconds(30);    // of a page that does not answer pings
constexpr auto look_time = std::chrono::milliseconds(100);
constexpr int burst = 2 * messages_a_second;

std::string content_policy() {
    return "default-src 'none'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; " +
           std::string(page_policy());
}

using Request = http::request<http::empty_body>;
using Response = http::response<http::string_body>;

Response answer_to(const Request& request, http::status status, std::string body, std::string_view type = "text/plain; charset=utf-8") {
    Response r(status, request.version());
    r.set(http::field::content_type, beast::string_view(type.data(), type.size()));
    r.set("Content-Security-Policy", content_policy());
    r.set("X-Content-Type-Options", "nosniff");
    r.set("Referrer-Policy", "no-referrer");
    r.set("Cross-Origin-Resource-Policy", "same-origin");
    r.set(http::field::cache_control, "no-cache");
    r.keep_alive(request.keep_alive() && status == http::status::ok);
    r.body() = std::move(body);
    r.prepare_payload();
    return r;
}

// Of this thread, on Linux: it has less of the processor than those who answer people, so many steps of niceness.
void stand_back(int steps) { ::setpriority(PRIO_PROCESS, ::gettid(), ::getpriority(PRIO_PROCESS, ::gettid()) + steps); }

// No program that this one starts, to draw or to compile, keeps a port or a connection.
void keep_to_ourselves(int socket) { ::fcntl(socket, F_SETFD, FD_CLOEXEC); }

std::string_view text_of(beast::string_view text) { return {text.data(), text.size()}; }

}  // namespace

// ---------------------------------------------------------------- what is shared

class Connection;
class PageSocket;

struct WebServer::Impl {
    asio::io_context io{1};
    asio::thread_pool workers{2};
    asio::thread_pool players{1};
    asio::thread_pool thinkers{1};
    Tcp::acceptor acceptor{io};
    asio::steady_timer look{io};
    Table* table = nullptr;
    Hosts hosts;
    std::map<std::uint64_t, std::weak_ptr<PageSocket>> pages;
    std::uint64_t last_page = 0;
    std::size_t connections = 0;
    std::exception_ptr failed;  // in a job

    void accept();
    void look_around();
    void post(asio::thread_pool& where, std::function<void()> job, std::function<void()> then);
    void stop() {
        Error ignored;
        acceptor.close(ignored);
        io.stop();
    }
};

// Counts a connection while it lives.
class Counted {
public:
    explicit Counted(std::size_t& count) : count_(count) { ++count_; }
    ~Counted() { --count_; }
    Counted(const Counted&) = delete;
    Counted& operator=(const Counted&) = delete;

private:
    std::size_t& count_;
};

// ---------------------------------------------------------------- a page

class PageSocket : public std::enable_shared_from_this<PageSocket> {
public:
    PageSocket(WebServer::Impl& server, beast::tcp_stream stream, std::shared_ptr<Counted> counted)
        : server_(server), socket_(std::move(stream)), counted_(std::move(counted)), id_(++server.last_page) {}

    void start(const Request& request) {
        websocket::stream_base::timeout times{header_time, idle_time, true};
        beast::get_lowest_layer(socket_).expires_never();  // it has its own
        socket_.set_option(times);
        socket_.read_message_max(message_most);
        socket_.text(true);
        socket_.async_accept(request, [self = shared_from_this()](Error error) {
            if (error) return;
            self->server_.pages[self->id_] = self;
            self->read();
        });
    }
    void send(std::string frame) {
        if (closing_) return;
        // One frame may be longer than all that may wait: whoever comes back late is told a whole game at once.
        if (queued_ > queue_most) return drop();
        queued_ += frame.size();
        queue_.push_back(std::move(frame));
        if (queue_.size() == 1) write();
    }
    // After what waits to be sent.
    void close() {
        closing_ = true;
        if (queue_.empty()) drop();
    }

private:
    void read() {
        socket_.async_read(buffer_, [self = shared_from_this()](Error error, std::size_t) {
            if (error) return self->leave();
            if (!self->socket_.got_text() || !self->may_say()) return self->drop();
            const std::string text = beast::buffers_to_string(self->buffer_.data());
            self->buffer_.consume(self->buffer_.size());
            self->server_.table->said(self->id_, text);
            if (!self->closing_) self->read();
        });
    }
    // A bucket of tokens: so many messages a second, twice as many at once.
    bool may_say() {
        const auto now = Clock::now();
        const double seconds = std::chrono::duration<double>(now - heard_).count();
        heard_ = now;
        left_ = std::min<double>(burst, left_ + seconds * messages_a_second) - 1;
        return left_ >= 0;
    }
    void write() {
        socket_.async_write(asio::buffer(queue_.front()), [self = shared_from_this()](Error error, std::size_t) {
            if (error) return self->leave();
            self->queued_ -= self->queue_.front().size();
            self->queue_.pop_front();
            if (!self->queue_.empty()) return self->write();
            if (self->closing_) self->drop();
        });
    }
    void drop() {
        closing_ = true;
        Error ignored;
        beast::get_lowest_layer(socket_).socket().shutdown(Tcp::socket::shutdown_both, ignored);
        beast::get_lowest_layer(socket_).close();
        leave();
    }
    void leave() {
        closing_ = true;
        if (server_.pages.erase(id_) == 0) return;
        // Not in the midst of what the table is doing.
        asio::post(server_.io, [&server = server_, id = id_] { server.table->left(id); });
    }

    WebServer::Impl& server_;
    websocket::stream<beast::tcp_stream> socket_;
    std::shared_ptr<Counted> counted_;
    std::uint64_t id_;
    beast::flat_buffer buffer_{message_most};
    std::deque<std::string> queue_;
    std::size_t queued_ = 0;
    bool closing_ = false;
    double left_ = burst;
    Clock::time_point heard_ = Clock::now();
};

// ---------------------------------------------------------------- a connection before it is a page's

class Connection : public std::enable_shared_from_this<Connection> {
public:
    Connection(WebServer::Impl& server, Tcp::socket socket)
        : server_(server), stream_(std::move(socket)), counted_(std::make_shared<Counted>(server.connections)) {}

    void read() {
        parser_.emplace();
        parser_->header_limit(header_most);
        parser_->body_limit(std::uint64_t{0});
        stream_.expires_after(header_time);
        http::async_read(stream_, buffer_, *parser_, [self = shared_from_this()](Error error, std::size_t) {
            if (!error) self->answer();
        });
    }

private:
    void answer() {
        const Request request = parser_->release();
        const std::string_view host = text_of(request[http::field::host]);
        if (request.count(http::field::host) != 1 || !is_ours(host, server_.hosts))
            return write(answer_to(request, http::status::forbidden, "This name is not one of this server.\n"));
        if (websocket::is_upgrade(request)) return upgrade(request, host);
        if (request.method() != http::verb::get && request.method() != http::verb::head)
            return write(answer_to(request, http::status::method_not_allowed, "Only GET and HEAD.\n"));
        const std::string_view target = text_of(request.target());
        const std::string_view path = target.substr(0, target.find('?'));
        for (const PageFile& file : page_files())
            if (path == file.path || (path == "/" && file.path == "/index.html")) return write_file(request, file);
        write(answer_to(request, http::status::not_found, "There is no such page.\n"));
    }
    void upgrade(const Request& request, std::string_view host) {
        const bool own = request.count(http::field::origin) == 1 && is_own_page(text_of(request[http::field::origin]), host, server_.hosts);
        if (!own) return write(answer_to(request, http::status::forbidden, "Only pages of this server.\n"));
        if (request.target() != "/table") return write(answer_to(request, http::status::not_found, "There is no such table.\n"));
        std::make_shared<PageSocket>(server_, std::move(stream_), counted_)->start(request);
    }
    void write_file(const Request& request, const PageFile& file) {
        Response r = answer_to(request, http::status::ok, std::string(file.bytes), file.type);
        r.set(http::field::content_encoding, "gzip");
        if (request.method() == http::verb::head) r.body().clear();
        write(std::move(r));
    }
    void write(Response response) {
        response_ = std::move(response);
        stream_.expires_after(header_time);
        http::async_write(stream_, response_, [self = shared_from_this()](Error error, std::size_t) {
            if (!error && self->response_.keep_alive()) return self->read();
            Error ignored;
            self->stream_.socket().shutdown(Tcp::socket::shutdown_send, ignored);
        });
    }

    WebServer::Impl& server_;
    beast::tcp_stream stream_;
    std::shared_ptr<Counted> counted_;
    beast::flat_buffer buffer_{2 * header_most};
    std::optional<http::request_parser<http::empty_body>> parser_;
    Response response_;
};

// ---------------------------------------------------------------- the server

void WebServer::Impl::accept() {
    acceptor.async_accept([this](Error error, Tcp::socket socket) {
        if (error == asio::error::operation_aborted) return;
        if (!error && connections < connections_most) {
            Error ignored;
            socket.set_option(Tcp::no_delay(true), ignored);
            keep_to_ourselves(socket.native_handle());
            std::make_shared<Connection>(*this, std::move(socket))->read();
        }
        accept();
    });
}

void WebServer::Impl::look_around() {
    look.expires_after(look_time);
    look.async_wait([this](Error error) {
        if (error) return;
        if (interrupted() || failed) return stop();
        look_around();
    });
}

WebServer::WebServer() : impl_(std::make_unique<Impl>()) {
    asio::post(impl_->players, [] { stand_back(15); });
    asio::post(impl_->thinkers, [] { stand_back(17); });
}
WebServer::~WebServer() {
    for (asio::thread_pool* pool : {&impl_->workers, &impl_->players, &impl_->thinkers}) {
        pool->stop();
        pool->join();
    }
}

int WebServer::listen(bool lan, std::uint16_t port) {
    Error error;
    Tcp::endpoint where = lan ? Tcp::endpoint(Tcp::v6(), port) : Tcp::endpoint(asio::ip::address_v4::loopback(), port);
    impl_->acceptor.open(where.protocol(), error);
    if (lan && error) {  // no IPv6 here
        where = Tcp::endpoint(Tcp::v4(), port);
        impl_->acceptor.open(where.protocol(), error);
    } else if (lan) {
        impl_->acceptor.set_option(asio::ip::v6_only(false), error);
    }
    if (!error) keep_to_ourselves(impl_->acceptor.native_handle());
    if (!error) impl_->acceptor.set_option(asio::socket_base::reuse_address(true), error);
    if (!error) impl_->acceptor.bind(where, error);
    if (!error) impl_->acceptor.listen(asio::socket_base::max_listen_connections, error);
    return error.value();
}

std::uint16_t WebServer::port() const {
    Error ignored;
    return impl_->acceptor.local_endpoint(ignored).port();
}

void WebServer::run(Table& table, const Hosts& hosts) {
    impl_->table = &table;
    impl_->hosts = hosts;
    impl_->accept();
    impl_->look_around();
    impl_->io.run();
    // Jobs work on the table.
    for (asio::thread_pool* pool : {&impl_->workers, &impl_->players, &impl_->thinkers}) pool->join();
    if (impl_->failed) std::rethrow_exception(impl_->failed);
}

void WebServer::stop() {
    asio::post(impl_->io, [impl = impl_.get()] { impl->stop(); });
}

void WebServer::send(std::uint64_t page, std::string frame) {
    const auto found = impl_->pages.find(page);
    if (found == impl_->pages.end()) return;
    if (const auto socket = found->second.lock()) socket->send(std::move(frame));
}

void WebServer::close(std::uint64_t page) {
    const auto found = impl_->pages.find(page);
    if (found == impl_->pages.end()) return;
    if (const auto socket = found->second.lock()) socket->close();
}

void WebServer::Impl::post(asio::thread_pool& where, std::function<void()> job, std::function<void()> then) {
    asio::post(where, [this, job = std::move(job), then = std::move(then)]() mutable {
        std::exception_ptr wrong;
        try {
            job();
        } catch (...) {
            wrong = std::current_exception();
        }
        asio::post(io, [this, wrong, then = std::move(then)] {
            if (!wrong) return then();
            failed = wrong;
            stop();
        });
    });
}

void WebServer::work(std::function<void()> job, std::function<void()> then) {
    impl_->post(impl_->workers, std::move(job), std::move(then));
}

void WebServer::ponder(std::function<void()> job, std::function<void()> then) {
    const auto in_turn = [job = std::move(job)] {
        const Turn turn(user_folder("XDG_RUNTIME_DIR", ".cache"), std::max(1U, std::thread::hardware_concurrency()),
                        houserule::cli::stop());
        job();
    };
    impl_->post(impl_->players, in_turn, std::move(then));
}

void WebServer::think(std::function<void()> job, std::function<void()> then) {
    impl_->post(impl_->thinkers, std::move(job), std::move(then));
}

void WebServer::later(std::chrono::milliseconds time, std::function<void()> then) {
    auto timer = std::make_shared<asio::steady_timer>(impl_->io, time);
    timer->async_wait([timer, then = std::move(then)](Error error) {
        if (!error) then();
    });
}

}  // namespace houserule::cli
