package dev.mintmark.verify;

import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.verify.HttpApi.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/**
 * Clients that claim values through several servers, and write down what they were told. A client
 * whose claim was not granted claims again through the next server. Values are never released.
 */
final class ClaimingClients implements AutoCloseable {
  private static final int THREADS = 4;

  /** So many claims a second and thread at most: the servers of the test share a few processors. */
  private static final Duration PAUSE = Duration.ofMillis(10);

  /** As many claims show that claims are granted. */
  static final int SOME = 20;

  private static final AtomicInteger RUNS = new AtomicInteger();

  private final String run = "run" + RUNS.incrementAndGet();
  private final List<HttpApi> servers;
  private final String pool;
  private final Collection<Granted> granted = new ConcurrentLinkedQueue<>();
  private final Collection<Refused> refused = new ConcurrentLinkedQueue<>();
  private final List<CompletableFuture<Void>> threads;
  private volatile boolean closed;

  /**
   * A claim that was acknowledged.
   *
   * @param server the number of the server that acknowledged it
   * @param sentNanos when it was sent, by {@link System#nanoTime}
   * @param nanos when the answer had arrived
   */
  record Granted(String client, String value, long token, int server, long sentNanos, long nanos) {}

  /** A claim that was answered by something else. */
  record Refused(String code, int server, long sentNanos) {}

  ClaimingClients(List<HttpApi> servers, String pool) {
    this.servers = servers;
    this.pool = pool;
    this.threads =
        IntStream.range(0, THREADS)
            .mapToObj(
                thread ->
                    CompletableFuture.runAsync(
                        () -> claim(thread), task -> new Thread(task, "clients").start()))
            .toList();
  }

  private void claim(int thread) {
    int number = 0;
    for (int server = thread; !closed; server++) {
      String client = "%s-%d-%d".formatted(run, thread, number);
      if (claim(client, server % servers.size())) {
        number++;
      }
      LockSupport.parkNanos(PAUSE.toNanos());
    }
  }

  private boolean claim(String client, int server) {
    long sent = System.nanoTime();
    Answer answer = servers.get(server).claim(pool, client);
    long now = System.nanoTime();
    if (answer.status() != 200 && answer.status() != 201) {
      refused.add(new Refused(answer.get("code"), server, sent));
      return false;
    }
    granted.add(
        new Granted(
            client, answer.get("value"), Long.parseLong(answer.get("token")), server, sent, now));
    return true;
  }

  /** Waits until each server has acknowledged some claims that were sent after this moment. */
  void awaitProgress() {
    awaitGranted(System.nanoTime(), SOME);
  }

  /**
   * Waits until each server has acknowledged so many claims that were sent after a moment, and
   * returns when the first of them was acknowledged by each.
   */
  List<Long> awaitGranted(long sinceNanos, int count) {
    return IntStream.range(0, servers.size())
        .mapToObj(
            server ->
                await(
                    "claims that server %d grants".formatted(server),
                    () -> firstOf(server, sinceNanos, count)))
        .toList();
  }

  private Long await(String what, Supplier<Optional<Long>> look) {
    return Eventually.present(
        what,
        () -> "granted=%d, refused=%s".formatted(grantedCount(), refusals()),
        () -> look.get().or(this::failure));
  }

  private Optional<Long> firstOf(int server, long sinceNanos, int count) {
    List<Long> times =
        granted.stream()
            .filter(claim -> claim.server == server && claim.sentNanos - sinceNanos > 0)
            .map(Granted::nanos)
            .toList();
    return times.size() < count ? Optional.empty() : Optional.of(times.get(0));
  }

  /**
   * Waits until each server has answered some claims that were sent after a moment otherwise than
   * that it has no database.
   */
  void awaitAnswers(long sinceNanos) {
    for (int i = 0; i < servers.size(); i++) {
      int server = i;
      long unused =
          await(
              "answers of server " + server,
              () -> firstOf(server, sinceNanos, SOME).or(() -> refusalBy(server, sinceNanos)));
    }
  }

  private Optional<Long> refusalBy(int server, long sinceNanos) {
    return refused.stream()
        .filter(answer -> answer.server == server && answer.sentNanos - sinceNanos > 0)
        .filter(answer -> !answer.code.equals("pool-unavailable"))
        .map(Refused::sentNanos)
        .findFirst();
  }

  /** Fails if a thread has failed. */
  private <T> Optional<T> failure() {
    threads.stream()
        .filter(CompletableFuture::isCompletedExceptionally)
        .forEach(CompletableFuture::join);
    return Optional.empty();
  }

  /** What they were told that was not a value: how often each. */
  Map<String, Long> refusals() {
    return refused.stream()
        .collect(Collectors.groupingBy(Refused::code, TreeMap::new, Collectors.counting()));
  }

  int grantedCount() {
    return granted.size();
  }

  /** Values that were given to two clients, and tokens that were given out twice. */
  List<String> doubled() {
    List<String> doubled = new ArrayList<>(shared(Granted::value));
    doubled.addAll(shared(claim -> "token " + claim.token));
    return doubled;
  }

  private List<String> shared(Function<Granted, String> by) {
    return granted.stream()
        .collect(Collectors.groupingBy(by, Collectors.mapping(Granted::client, Collectors.toSet())))
        .entrySet()
        .stream()
        .filter(holders -> holders.getValue().size() > 1)
        .map(holders -> holders.getKey() + ": " + holders.getValue())
        .toList();
  }

  /** Claims that were acknowledged and are not held. */
  List<Granted> lost(Collection<Claim> held) {
    Set<String> found =
        held.stream()
            .map(claim -> claim.client() + " " + claim.value() + " " + claim.token())
            .collect(Collectors.toSet());
    return granted.stream()
        .filter(claim -> !found.contains(claim.client + " " + claim.value + " " + claim.token))
        .toList();
  }

  @Override
  public void close() {
    closed = true;
    threads.forEach(CompletableFuture::join);
  }
}
