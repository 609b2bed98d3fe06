#include "steepest/pool.hpp"

#include <algorithm>
#include <exception>

#ifdef __linux__
#include <sched.h>
#endif
#if defined(__unix__) || defined(__APPLE__)
#include <pthread.h>
#define STEEPEST_HAS_FORK
#endif

namespace steepest {

int available_processors() {
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return CPU_COUNT(&set) > 0 ? CPU_COUNT(&set) : 1;
#endif
  const unsigned count = std::thread::hardware_concurrency();
  return count > 0 ? int(count) : 1;
}

Pool::Pool() : threads_(available_processors()) {}

Pool& Pool::instance() {
  // Never destroyed: a worker may still be parked when the process leaves main.
  static Pool* const pool = [] {
    auto* made = new Pool;
#ifdef STEEPEST_HAS_FORK
    // A fork while another thread holds the mutex would leave it locked for ever in the child.
    pthread_atfork([] { instance().mutex_.lock(); }, [] { instance().mutex_.unlock(); },
                   [] { instance().forget_workers(); });
#endif
    return made;
  }();
  return *pool;
}

void Pool::forget_workers() {
  // In the child of a fork the workers do not exist and cannot be joined: the old pool is left where it is.
  new std::shared_ptr<Eigen::ThreadPool>(std::move(workers_));
  workers_.reset();
  mutex_.unlock();
}

void Pool::set_threads(int threads) {
  std::shared_ptr<Eigen::ThreadPool> old;  // joined outside the lock, when its last user lets go
  const std::lock_guard lock(mutex_);
  threads_.store(threads, std::memory_order_relaxed);
  old.swap(workers_);
}

std::shared_ptr<Eigen::ThreadPool> Pool::workers() {
  const std::lock_guard lock(mutex_);
  if (!workers_ && threads() > 1) workers_ = std::make_shared<Eigen::ThreadPool>(threads() - 1);
  return workers_;
}

void Pool::run_on_pool(std::int64_t count, const void* task, Call call) {
  const auto job = std::make_shared<Job>();
  job->task = task;
  job->call = call;
  job->count = count;
  std::shared_ptr<Eigen::ThreadPool> pool;  // held until the tasks are done
  try {
    pool = workers();
    const int helpers = pool ? int(std::min<std::int64_t>(pool->NumThreads(), count - 1)) : 0;
    for (int k = 0; k < helpers; ++k) pool->Schedule([job] { job->work(); });
  } catch (const std::exception&) {
    // No thread or no memory for one: the caller does what is left, alone if it must.
  }
  job->work();
  for (std::int64_t done; (done = job->done.load(std::memory_order_acquire)) < count;) job->done.wait(done);
}

}  // namespace steepest
