// A context of Z3 that was made, or `std::bad_alloc`: z3++ goes on with one for which there was no memory, and crashes.
#pragma once

#include <z3++.h>

#include <memory>
#include <new>
#include <type_traits>

namespace houserule {

class SolverContext {
public:
    operator z3::context&() { return context_(); }

private:
    struct Freed {
        void operator()(Z3_context context) const { Z3_del_context(context); }
    };
    using Owned = std::unique_ptr<std::remove_pointer_t<Z3_context>, Freed>;
    static Owned made() {
        z3::config config;
        Owned context(Z3_mk_context_rc(config));
        if (context == nullptr) throw std::bad_alloc();
        return context;
    }

    Owned owned_ = made();
    z3::scoped_context context_{owned_.get()};  // owns nothing
};

}  // namespace houserule
