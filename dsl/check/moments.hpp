// What is certain at each point of a rule: which statements came before it in its blocks, and which conditions lead to it. A moment is
// such a point; moments form a tree, each with the one before it. Nothing is concluded here: see Differences and PlayerKnowledge.
#pragma once

#include "dsl/game/game.hpp"

namespace houserule {

using MomentId = Id<struct MomentTag>;

struct Moment {
    MomentId before = no_id;
    MomentId supposed = no_id;  // the nearest moment, this one or earlier, that supposes something
    // One of these:
    StatementId done = no_id;        // it has been carried out
    ExpressionId condition = no_id;  // it was read, and `holds` is what it gave
    bool holds = true;
    VariableId somebody = no_id;  // is another player than `other`
    ExpressionId other = no_id;
    bool again = false;  // the body of a loop begins: what comes later in it may have been done before
};

class Moments {
public:
    MomentId now() const { return now_; }
    void back_to(MomentId moment) { now_ = moment; }
    const Moment& operator[](MomentId id) const { return moments_[id]; }

    void done(StatementId statement) {
        Moment m;
        m.done = statement;
        add(m, false);
    }
    void suppose(ExpressionId condition, bool holds) {
        Moment m;
        m.condition = condition;
        m.holds = holds;
        add(m, true);
    }
    void suppose_another(VariableId somebody, ExpressionId other) {
        Moment m;
        m.somebody = somebody;
        m.other = other;
        add(m, true);
    }
    void loop() {
        Moment m;
        m.again = true;
        add(m, false);
    }

private:
    void add(Moment m, bool supposes) {
        m.before = now_;
        m.supposed = supposes ? moments_.next() : now_ == no_id ? MomentId{} : moments_[now_].supposed;
        now_ = moments_.add(m);
    }

    Store<MomentId, Moment> moments_;
    MomentId now_ = no_id;
};

// What holds inside a block is forgotten when it ends.
class MomentScope {
public:
    explicit MomentScope(Moments& moments) : moments_(moments), before_(moments.now()) {}
    ~MomentScope() { moments_.back_to(before_); }
    MomentScope(const MomentScope&) = delete;
    MomentScope& operator=(const MomentScope&) = delete;

private:
    Moments& moments_;
    MomentId before_;
};

}  // namespace houserule
