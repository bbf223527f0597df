package dev.mintmark.app.storm;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;

/** Threads that start their work at the same time: one for each instance of a storm. */
final class StartGate {
  private static final long LOOK_EVERY_MILLIS = 100;

  private final CountDownLatch gate = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();

  private StartGate() {}

  /** Starts threads that wait; each runs with its number, from 0, after {@link #go}. */
  static StartGate of(int size, String name, IntConsumer task) throws InterruptedException {
    StartGate gate = new StartGate();
    CountDownLatch ready = new CountDownLatch(size);
    for (int i = 0; i < size; i++) {
      int number = i;
      Thread thread =
          new Thread(
              () -> {
                ready.countDown();
                try {
                  gate.gate.await();
                } catch (InterruptedException e) {
                  return;
                }
                task.accept(number);
              },
              name + "-" + i);
      thread.setDaemon(true);
      thread.start();
      gate.threads.add(thread);
    }
    ready.await();
    return gate;
  }

  /** Releases the threads. */
  void go() {
    gate.countDown();
  }

  /** Waits until all threads end, and runs a task from time to time. */
  void await(Runnable lookAround) throws InterruptedException {
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        thread.join(LOOK_EVERY_MILLIS);
        lookAround.run();
      }
    }
  }
}
