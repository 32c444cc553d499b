#include "interpreter/run/stop.hpp"

namespace houserule {

Stop::Alarm::Alarm(const Stop& stop, std::function<void()> rouse) : stop_(stop.top()) {
    const std::lock_guard lock(stop_.mutex_);
    at_ = stop_.alarms_.insert(stop_.alarms_.end(), std::move(rouse));
}

Stop::Alarm::~Alarm() {
    const std::lock_guard lock(stop_.mutex_);
    stop_.alarms_.erase(at_);
}

void Stop::wake() const {
    const std::lock_guard lock(mutex_);
    for (const auto& rouse : alarms_) rouse();
}

}  // namespace houserule
