#include "core/base/detached_thread.h"

#if defined(_WIN32)
#include <exception>
#include <thread>
#else
#include <pthread.h>
#include <signal.h>

#include <memory>
#include <new>
#endif

namespace tfr {

#if defined(_WIN32)

bool StartDetachedThread(void (*work)(void*), void* argument) {
  try {
    std::thread(work, argument).detach();
    return true;
  } catch (const std::exception&) {
    return false;
  }
}

#else

namespace {

struct Start {
  void (*work)(void*);
  void* argument;
};

void* Run(void* data) {
  const std::unique_ptr<Start> start(static_cast<Start*>(data));
  sigset_t blocked;
  sigemptyset(&blocked);
  sigaddset(&blocked, SIGPIPE);
  pthread_sigmask(SIG_BLOCK, &blocked, nullptr);
  start->work(start->argument);
  return nullptr;
}

}  // namespace

bool StartDetachedThread(void (*work)(void*), void* argument) {
  auto* const start = new (std::nothrow) Start{work, argument};
  if (start == nullptr) return false;
  pthread_t thread;
  if (pthread_create(&thread, nullptr, Run, start) != 0) {
    delete start;
    return false;
  }
  pthread_detach(thread);
  return true;
}

#endif

}  // namespace tfr
