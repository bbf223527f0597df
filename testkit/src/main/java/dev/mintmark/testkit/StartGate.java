package dev.mintmark.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.function.IntConsumer;

/**
 * Threads that wait at a gate and start together. For one thread, which opens the gate and waits.
 */
public final class StartGate {
  private static final long LOOK_EVERY_MILLIS = 100;

  private final CountDownLatch gate = new CountDownLatch(1);
  private final List<Thread> threads = new ArrayList<>();

  private StartGate() {}

  /**
   * Starts threads and waits until each of them waits at the gate.
   *
   * @param size how many threads
   * @param name the beginning of their names
   * @param task what each thread does after the gate opens; receives its number, from 0
   */
  public static StartGate of(int size, String name, IntConsumer task) throws InterruptedException {
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

  /** Opens the gate. */
  public void go() {
    gate.countDown();
  }

  /**
   * Waits until all threads have ended.
   *
   * @param lookAround is run about every 100 ms meanwhile
   */
  public void await(Runnable lookAround) throws InterruptedException {
    for (Thread thread : threads) {
      while (thread.isAlive()) {
        thread.join(LOOK_EVERY_MILLIS);
        lookAround.run();
      }
    }
  }
}
