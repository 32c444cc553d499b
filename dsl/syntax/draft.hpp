// Nodes while a text is being read, and how far reading is: what the grammar's rules make, and a tree is built of (tree_builder.hpp).
#pragma once

#include "dsl/syntax/syntax.hpp"
#include "dsl/text/diagnostics.hpp"

#include <memory>
#include <vector>

namespace houserule {

// A node while the text is being read. `parts` of a group follow its first child and each wraps what came before.
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
    std::size_t reported = 0;  // one past the furthest place of a report
    int nesting = 0;
    Draft* open = nullptr;  // the node that is being read
};

// A node is open as long as this lives; whatever ends it, the one around it is open again.
class OpenDraft {
public:
    OpenDraft(ReadState& state, Kind kind, const char* begin) : state_(state), around_(state.open), node_(std::make_unique<Draft>()) {
        node_->kind = kind;
        node_->begin = begin;
        state.open = node_.get();
    }
    ~OpenDraft() { state_.open = around_; }
    OpenDraft(const OpenDraft&) = delete;
    OpenDraft& operator=(const OpenDraft&) = delete;

    void keep(const char* end) {
        node_->end = end;
        around_->children.push_back(std::move(node_));
    }

private:
    ReadState& state_;
    Draft* around_;
    std::unique_ptr<Draft> node_;
};

}  // namespace houserule
