// Several threads at one task: games that are played side by side.
//
// What comes out must not depend on how many threads there are: a task keeps what it finds apart, by number or by thread, and whoever
// asked for it adds that up in an order that is always the same.
#pragma once

#include <functional>
#include <stop_token>

namespace houserule {

// Runs task(k, halt) for each k < threads at the same time, and returns when all of them have. The caller waits; `go_on` is called
// about twenty times a second in the caller's thread: when it says no, `halt` asks the tasks to end. What a task throws ends the others
// and is thrown here. When the system has no more threads, there are fewer; std::system_error when it has none.
void work_together(unsigned threads, const std::function<void(unsigned k, const std::stop_token& halt)>& task,
                   const std::function<bool()>& go_on);

}  // namespace houserule
