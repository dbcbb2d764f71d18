#ifndef TFR_TEST_SUPPORT_FLAG_H_
#define TFR_TEST_SUPPORT_FLAG_H_

#include <mutex>

#include "core/base/condition.h"

namespace tfr::test {

/// A flag that any thread may set, once.
class Flag {
 public:
  void Set() {
    std::lock_guard<std::mutex> lock(mutex_);
    set_ = true;
    changed_.NotifyAll();
  }
  void Wait() {
    std::unique_lock<std::mutex> lock(mutex_);
    while (!set_) changed_.Wait(lock);
  }
  bool IsSet() {
    std::lock_guard<std::mutex> lock(mutex_);
    return set_;
  }

 private:
  std::mutex mutex_;
  Condition changed_;
  bool set_ = false;
};

}  // namespace tfr::test

#endif  // TFR_TEST_SUPPORT_FLAG_H_
