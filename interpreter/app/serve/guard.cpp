#include "interpreter/app/serve/guard.hpp"

#include "dsl/text/ascii.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <memory>

#include <arpa/inet.h>
#include <ifaddrs.h>
#include <net/if.h>
#include <netinet/in.h>
#include <unistd.h>

namespace houserule::cli {

namespace {

std::string small(std::string_view text) {
    std::string all(text);
    std::ranges::transform(all, all.begin(), ascii::small);
    return all;
}

// An address as it stands in a link; empty for one that no browser could use, such as a link-local one of IPv6.
std::string written(const sockaddr* address) {
    std::array<char, INET6_ADDRSTRLEN> text{};
    if (address->sa_family == AF_INET) {
        const auto* const in = reinterpret_cast<const sockaddr_in*>(address);
        return ::inet_ntop(AF_INET, &in->sin_addr, text.data(), text.size()) == nullptr ? "" : text.data();
    }
    if (address->sa_family != AF_INET6) return "";
    const auto* const in = reinterpret_cast<const sockaddr_in6*>(address);
    if (IN6_IS_ADDR_LINKLOCAL(&in->sin6_addr)) return "";
    return ::inet_ntop(AF_INET6, &in->sin6_addr, text.data(), text.size()) == nullptr ? "" : fmt::format("[{}]", text.data());
}

std::string own_name() {
    std::array<char, 256> name{};
    return ::gethostname(name.data(), name.size() - 1) == 0 ? small(name.data()) : "";
}

struct Parts {
    std::string name;
    std::uint16_t port = 80;
};

// `name:port`, the port perhaps missing; an empty name where it is malformed.
Parts parts_of(std::string_view host) {
    Parts parts;
    const std::size_t bracket = host.starts_with('[') ? host.find(']') : 0;
    if (bracket == std::string_view::npos) return {};
    const std::size_t colon = host.find(':', bracket);
    const std::string_view name = host.substr(0, colon);
    if (colon != std::string_view::npos) {
        const std::string_view digits = host.substr(colon + 1);
        const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), parts.port);
        if (digits.empty() || error != std::errc() || end != digits.data() + digits.size()) return {};
    }
    parts.name = small(name);
    return parts;
}

}  // namespace

std::set<std::string> addresses_of_this_machine() {
    std::set<std::string> all;
    ifaddrs* first = nullptr;
    if (::getifaddrs(&first) != 0) return all;
    const std::unique_ptr<ifaddrs, decltype(&::freeifaddrs)> list(first, &::freeifaddrs);
    for (const ifaddrs* at = first; at != nullptr; at = at->ifa_next) {
        if (at->ifa_addr == nullptr || (at->ifa_flags & IFF_LOOPBACK) != 0 || (at->ifa_flags & IFF_UP) == 0) continue;
        if (std::string text = written(at->ifa_addr); !text.empty()) all.insert(std::move(text));
    }
    return all;
}

std::set<std::string> names_of_this_machine(bool lan, const std::string& further) {
    std::set<std::string> all{"localhost", "127.0.0.1", "[::1]"};
    if (!further.empty()) all.insert(small(further));
    if (!lan) return all;
    all.merge(addresses_of_this_machine());
    if (const std::string name = own_name(); !name.empty()) {
        all.insert(name);
        all.insert(name.substr(0, name.find('.')) + ".local");
    }
    return all;
}

bool is_ours(std::string_view host, const Hosts& hosts) {
    const Parts parts = parts_of(host);
    return !parts.name.empty() && parts.port == hosts.port && hosts.names.contains(parts.name);
}

bool is_own_page(std::string_view origin, std::string_view host, const Hosts& hosts) {
    constexpr std::string_view scheme = "http://";
    if (!origin.starts_with(scheme) || !is_ours(host, hosts)) return false;
    const Parts page = parts_of(origin.substr(scheme.size()));
    const Parts asked = parts_of(host);
    return page.name == asked.name && page.port == asked.port;
}

}  // namespace houserule::cli
