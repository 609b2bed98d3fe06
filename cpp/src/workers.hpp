// Eigen's pool of threads, made of threads and memory that are had before it is begun. For pool.cpp alone.
//
// Its constructor fails in no orderly way: vectors take what malloc gives them without looking, and the threads that
// run already are destroyed under way. So all that it asks for is there before: where that cannot be had, nothing has
// begun.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdlib>
#include <exception>
#include <functional>
#include <memory>
#include <thread>
#include <utility>
#include <vector>

namespace steepest {

// A block of memory, which is given out from its beginning while a pool is made in this thread.
class WorkersMemory {
 public:
  explicit WorkersMemory(std::size_t bytes) : block_(new std::byte[bytes]) {
    at_ = block_.get();
    left_ = bytes;
  }
  static void made() { left_ = 0; }

  // What is not enough, for another version of Eigen's, comes from malloc and is never freed.
  static void* take(std::size_t bytes) {
    bytes = (bytes + alignof(std::max_align_t) - 1) / alignof(std::max_align_t) * alignof(std::max_align_t);
    if (bytes > left_) return std::malloc(bytes);
    left_ -= bytes;
    return std::exchange(at_, at_ + bytes);
  }

 private:
  const std::unique_ptr<std::byte[]> block_;
  static inline thread_local std::byte* at_ = nullptr;
  static inline thread_local std::size_t left_ = 0;
};

}  // namespace steepest

#define malloc(bytes) steepest::WorkersMemory::take(bytes)
#define free(memory) static_cast<void>(memory)
#include <unsupported/Eigen/CXX11/ThreadPool>
#undef malloc
#undef free

namespace steepest {

// As many threads as can be had, and at most so many. They wait for what they are to do.
class ReadyThreads {
 public:
  explicit ReadyThreads(int wanted) {
    try {
      threads_->reserve(std::size_t(wanted));
      while (count() < wanted) threads_->push_back(std::make_unique<EnvThread>());
    } catch (const std::exception&) {  // a limit of the process or the user, or of memory
    }
  }
  int count() const { return int(threads_->size()); }

  // The rest has the names that Eigen calls.
  struct Task {
    std::function<void()> f;
  };
  class EnvThread {
   public:
    ~EnvThread() {
      if (!begun_) begin(nullptr);
      thread_.join();
    }
    void begin(std::function<void()> work) noexcept {
      work_ = std::move(work);
      begun_ = true;
      begun_.notify_one();
    }
    void OnCancel() {}

   private:
    std::function<void()> work_;
    std::atomic<bool> begun_{false};
    std::thread thread_{[this] {
      begun_.wait(false);
      if (work_) work_();
    }};
  };
  EnvThread* CreateThread(std::function<void()> work) noexcept {
    EnvThread* const thread = threads_->back().release();
    threads_->pop_back();
    thread->begin(std::move(work));
    return thread;
  }
  Task CreateTask(std::function<void()> f) { return {std::move(f)}; }
  void ExecuteTask(const Task& task) { task.f(); }

 private:
  using Threads = std::vector<std::unique_ptr<EnvThread>>;
  std::shared_ptr<Threads> threads_ = std::make_shared<Threads>();  // shared: Eigen copies its environment
};

// The memory comes first, and goes last.
class Workers : WorkersMemory, public Eigen::ThreadPoolTempl<ReadyThreads> {
 public:
  explicit Workers(const ReadyThreads& threads)
      : WorkersMemory(bytes(std::size_t(threads.count()))),
        Eigen::ThreadPoolTempl<ReadyThreads>(threads.count(), threads) {
    made();
  }

 private:
  // For each thread a queue, a place to wait, and a list of up to so many numbers.
  static std::size_t bytes(std::size_t threads) {
    return (threads + 1) * (sizeof(Eigen::RunQueue<ReadyThreads::Task, 1024>) + 1024 + threads * sizeof(unsigned));
  }
};

}  // namespace steepest
