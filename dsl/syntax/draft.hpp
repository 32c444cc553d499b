// The mutable nodes that the parser makes, and its state; tree_builder.hpp turns these nodes into the syntax tree.
#pragma once

#include "dsl/syntax/syntax.hpp"
#include "dsl/text/diagnostics.hpp"

#include <memory>
#include <vector>

namespace houserule {

// A node before the tree is built. In a group (`set_group`, …), each child but the first is an operator whose left operand is all that
// stands before it: `a where b with most c` has the three children `a`, `where b` and `with most c`.
struct Draft {
    Kind kind = Kind::file;
    const char* begin = nullptr;
    const char* end = nullptr;
    std::vector<std::unique_ptr<Draft>> children;
};

struct ReadState {
    const Source* source = nullptr;
    std::uint16_t index = 0;
    Diagnostics* diagnostics = nullptr;
    std::size_t reported = 0;   // one past the furthest byte at which an error was reported
    int nesting = 0;            // the current depth, for `nesting_limit`
    bool in_condition = false;  // inside the condition of a `where`, and not inside brackets of it
    Draft* open = nullptr;      // the node that is being read
};

// Makes a new node the open one, and its parent again at the end (RAII). `keep` appends the node to the parent; without it it is dropped.
class OpenDraft {
public:
    OpenDraft(ReadState& state, Kind kind, const char* begin) : state_(state), parent_(state.open), node_(std::make_unique<Draft>()) {
        node_->kind = kind;
        node_->begin = begin;
        state.open = node_.get();
    }
    ~OpenDraft() { state_.open = parent_; }
    OpenDraft(const OpenDraft&) = delete;
    OpenDraft& operator=(const OpenDraft&) = delete;

    void keep(const char* end) {
        node_->end = end;
        parent_->children.push_back(std::move(node_));
    }

private:
    ReadState& state_;
    Draft* parent_;
    std::unique_ptr<Draft> node_;
};

}  // namespace houserule
