// Which requests come from pages of this server: by their `Host` and `Origin`. That is what keeps pages of other sites away (DNS
// rebinding, cross-site WebSockets); without a token nobody gets a seat besides.
#pragma once

#include <cstdint>
#include <set>
#include <string>
#include <string_view>

namespace houserule::cli {

struct Hosts {
    std::set<std::string> names;  // in small letters; addresses of IPv6 in brackets
    std::uint16_t port = 0;
};

// Names and addresses by which this machine is called: those of the loopback; if `lan`, the addresses of its interfaces and its own name,
// also with `.local`; `further` names.
std::set<std::string> names_of_this_machine(bool lan, const std::string& further);
// The addresses of its interfaces that others can reach, as they stand in a link.
std::set<std::string> addresses_of_this_machine();

// `host`: the value of the header. Without a port it is that of HTTP, 80.
bool is_ours(std::string_view host, const Hosts& hosts);
// Whether a WebSocket with this `Origin` is one of a page that was read from `host`.
bool is_own_page(std::string_view origin, std::string_view host, const Hosts& hosts);

}  // namespace houserule::cli
