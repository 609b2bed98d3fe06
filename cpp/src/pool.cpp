#include "steepest/runtime/pool.hpp"

#include <algorithm>
#include <chrono>
#include <exception>
#include <thread>

#include "workers.hpp"

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

namespace {

// How long a caller looks whether the last tasks are done before it sleeps: about what waking it takes. A worker that
// has nothing to do looks 5000 times, some 25 us, which is what Eigen's pool does; of several workers one at a time.
constexpr auto kPatience = std::chrono::microseconds(50);

// Tells the processor that this loop waits.
void relax() {
#if defined(__x86_64__) || defined(__i386__)
  __builtin_ia32_pause();
#elif defined(__aarch64__)
  asm volatile("yield");
#endif
}

// The processor that this thread runs on; -1 where nobody knows.
int processor() {
#ifdef __linux__
  return sched_getcpu();
#else
  return -1;
#endif
}

// With two processors, moves this thread to the other one; no lasting restriction. With more, a free one is soon found
// by the system, and moving would only cost.
void step_aside([[maybe_unused]] int here) {
#ifdef __linux__
  cpu_set_t all;
  if (sched_getaffinity(0, sizeof all, &all) != 0 || CPU_COUNT(&all) != 2) return;
  cpu_set_t others = all;
  CPU_CLR(here, &others);
  if (sched_setaffinity(0, sizeof others, &others) == 0) sched_setaffinity(0, sizeof all, &all);
#endif
}

}  // namespace

// Outlives the call: a worker that wakes late finds no task left and only drops its reference.
class Pool::Job {
 public:
  Job(std::int64_t count, int threads, const void* task, Call call)
      : shares_(std::make_unique<Share[]>(std::size_t(threads))),
        threads_(threads),
        count_(count),
        task_(task),
        call_(call) {
    for (int k = 0; k < threads; ++k) share(k).next.store(begin(k), std::memory_order_relaxed);
  }

  // The calling thread's part, from first to last.
  void lead() {
    std::int64_t finished = do_share(0);
    // A worker that has not come may be waiting for this very processor.
    if (arrived_.load(std::memory_order_relaxed) < threads_ - 1) std::this_thread::yield();
    for (int k = 1; k < threads_; ++k) finished += do_share(k);
    finish(finished);
    wait();
  }

  // A worker's part. `own` is the same at every step.
  void help(int own) {
    arrived_.fetch_add(1, std::memory_order_relaxed);
    // Where few processors are busy, Linux wakes a thread on the one that it last ran on or on the caller's, and leaves
    // it there to wait while another is free. Once it has moved, it is woken where it then is.
    if (const int here = processor(); here >= 0 && here == home_) step_aside(here);
    std::int64_t finished = 0;
    for (int k = 0; k < threads_; ++k) finished += do_share((own + k) % threads_);
    finish(finished);
  }

 private:
  // In a cache line of its own: taking a task costs next to nothing while nobody else takes from the share.
  struct alignas(64) Share {
    std::atomic<std::int64_t> next;
  };
  Share& share(int k) { return shares_[std::size_t(k)]; }
  std::int64_t begin(int k) const { return count_ * k / threads_; }

  std::int64_t do_share(int k) {
    const std::int64_t end = begin(k + 1);
    std::int64_t finished = 0;
    for (std::int64_t next; (next = share(k).next.fetch_add(1, std::memory_order_relaxed)) < end; ++finished)
      call_(task_, next);
    return finished;
  }

  void finish(std::int64_t finished) {
    if (finished > 0 && done_.fetch_add(finished, std::memory_order_acq_rel) + finished == count_) done_.notify_all();
  }

  void wait() const {
    using Clock = std::chrono::steady_clock;
    std::int64_t done = done_.load(std::memory_order_acquire);
    if (done == count_) return;
    for (const auto until = Clock::now() + kPatience; Clock::now() < until;)
      for (int k = 0; k < 16; ++k) {
        if (done_.load(std::memory_order_acquire) == count_) return;
        relax();
      }
    while ((done = done_.load(std::memory_order_acquire)) < count_) done_.wait(done);
  }

  const std::unique_ptr<Share[]> shares_;
  const int threads_;
  const std::int64_t count_;
  const void* const task_;
  const Call call_;
  const int home_ = processor();
  std::atomic<int> arrived_{0};
  std::atomic<std::int64_t> done_{0};
};

Pool::Pool() : threads_(available_processors()) {}

Pool& Pool::instance() {
  // Never destroyed: a worker may still be parked when the process leaves main.
  static Pool* const pool = [] {
    auto* instance = new Pool;
#ifdef STEEPEST_HAS_FORK
    // A fork while another thread holds the mutex would leave it locked for ever in the child.
    pthread_atfork([] { Pool::instance().mutex_.lock(); }, [] { Pool::instance().mutex_.unlock(); },
                   [] { Pool::instance().forget_workers(); });
#endif
    return instance;
  }();
  return *pool;
}

void Pool::forget_workers() {
  // In the child of a fork the workers do not exist and cannot be joined: the old pool is left where it is.
  new std::shared_ptr<Workers>(std::move(workers_));
  workers_.reset();
  mutex_.unlock();
}

void Pool::set_threads(int threads) {
  std::shared_ptr<Workers> old;  // joined outside the lock, when its last user lets go
  const std::lock_guard lock(mutex_);
  threads_.store(threads, std::memory_order_relaxed);
  old.swap(workers_);
}

std::shared_ptr<Workers> Pool::workers() {
  const std::lock_guard lock(mutex_);
  try {
    if (!workers_ && threads() > 1) {
      const ReadyThreads helpers(threads() - 1);
      if (helpers.count() > 0)
        workers_ = std::make_shared<Workers>(helpers);
      else
        threads_.store(1, std::memory_order_relaxed);  // not asked for again at every step
    }
  } catch (const std::exception&) {
    // No memory for a pool: the caller does everything.
  }
  return workers_;
}

void Pool::run_on_pool(std::int64_t count, const void* task, Call call) {
  const std::shared_ptr<Workers> pool = workers();  // held until the tasks are done
  const int helpers = pool ? int(std::min<std::int64_t>(pool->NumThreads(), count - 1)) : 0;
  std::shared_ptr<Job> job;
  try {
    job = std::make_shared<Job>(count, helpers + 1, task, call);
    for (int k = 0; k < helpers; ++k)
      pool->ScheduleWithHint([job, own = pool.get()] { job->help(own->CurrentThreadId() + 1); }, k, k + 1);
  } catch (const std::exception&) {
    // No memory for another helper: those that there are do its share.
  }
  if (job)
    job->lead();
  else
    for (std::int64_t k = 0; k < count; ++k) call(task, k);
}

}  // namespace steepest
