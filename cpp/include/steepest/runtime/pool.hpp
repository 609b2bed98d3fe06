// Threads: runs a list of tasks on Eigen's pool, the caller taking part. Safe after fork and from several callers.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>

namespace steepest {

class Workers;  // Eigen's pool, which only pool.cpp needs to see

class Pool {
 public:
  static Pool& instance();

  int threads() const { return threads_.load(std::memory_order_relaxed); }
  void set_threads(int threads);

  // Calls task(k) once for every k in [0, count); returns when all are done. Tasks must not throw.
  //
  // Every thread has a share of the tasks, the same one in each run of as many tasks, so that its data stay in its
  // core's cache from step to step. A thread that is done takes tasks from the other shares.
  template <class Task>
  void run(std::int64_t count, const Task& task) {
    if (count <= 1 || threads() <= 1) {
      for (std::int64_t k = 0; k < count; ++k) task(k);
      return;
    }
    run_on_pool(count, &task, [](const void* t, std::int64_t k) { (*static_cast<const Task*>(t))(k); });
  }

 private:
  using Call = void (*)(const void*, std::int64_t);
  class Job;

  Pool();
  std::shared_ptr<Workers> workers();
  void run_on_pool(std::int64_t count, const void* task, Call call);
  void forget_workers();

  std::atomic<int> threads_;
  std::mutex mutex_;
  std::shared_ptr<Workers> workers_;
};

// The number of processors that this process may run on.
int available_processors();

}  // namespace steepest
