// Runs one task on several threads: games that are played in parallel.
//
// Results must not depend on the number of threads: a task keeps what it finds separately, by game or by thread, and the caller adds it
// up in a fixed order.
#pragma once

#include <functional>
#include <stop_token>

namespace houserule {

// Runs task(k, halt) for each k < threads in parallel, and returns when all have returned. Meanwhile `go_on` is called about twenty times
// a second in the caller's thread; when it says false, `halt` asks the tasks to end. What a task throws ends the others and is rethrown
// here. If the system gives fewer threads, fewer run; std::system_error if it gives none.
void work_together(unsigned threads, const std::function<void(unsigned k, const std::stop_token& halt)>& task,
                   const std::function<bool()>& go_on);

}  // namespace houserule
