// The pool: every task once, several callers, changes of size, fork.
#include "steepest/runtime/pool.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

#include "check.hpp"

using namespace steepest;

namespace {

void run_once(int tasks) {
  std::vector<std::atomic<int>> calls(static_cast<std::size_t>(tasks));
  Pool::instance().run(tasks, [&](std::int64_t k) { ++calls[static_cast<std::size_t>(k)]; });
  for (const auto& count : calls) CHECK(count == 1, "a task ran %d times", count.load());
}

void test_every_task_runs_once() {
  for (const int threads : {1, 2, 3, 7}) {
    Pool::instance().set_threads(threads);
    for (const int tasks : {0, 1, 2, 3, 10, 1000}) run_once(tasks);
  }
}

// The first task of each thread waits for the other's, so neither can take both.
void test_each_thread_begins_with_its_own_share() {
  Pool::instance().set_threads(2);
  std::atomic<std::size_t> begun{0};
  std::vector<std::int64_t> order(8);
  Pool::instance().run(8, [&](std::int64_t k) {
    const std::size_t place = begun++;
    order[place] = k;
    while (begun < 2) std::this_thread::yield();
  });
  const auto [low, high] = std::minmax(order[0], order[1]);
  CHECK(low == 0 && high == 4, "the first tasks were %d and %d", int(low), int(high));
}

void test_several_callers_and_changes_of_size() {
  Pool::instance().set_threads(3);
  std::vector<std::thread> callers;
  for (int c = 0; c < 4; ++c)
    callers.emplace_back([c] {
      for (int round = 0; round < 200; ++round) {
        run_once(50);
        if (c == 0 && round % 20 == 0) Pool::instance().set_threads(1 + round / 20 % 4);
      }
    });
  for (std::thread& caller : callers) caller.join();
}

void test_a_forked_child_has_a_pool_of_its_own() {
  Pool::instance().set_threads(3);
  run_once(100);
  for (int round = 0; round < 20; ++round) {
    const pid_t child = fork();
    if (child == 0) {
      alarm(30);  // a child that hangs dies by a signal
      failures = 0;
      run_once(100);
      _exit(failures == 0 ? 0 : 1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0, "child ended with status %d", status);
  }
  run_once(100);
}

}  // namespace

int main() {
  test_every_task_runs_once();
  test_each_thread_begins_with_its_own_share();
  test_several_callers_and_changes_of_size();
  test_a_forked_child_has_a_pool_of_its_own();
  return report("pool");
}
