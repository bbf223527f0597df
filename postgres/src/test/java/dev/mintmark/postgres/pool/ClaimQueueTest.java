package dev.mintmark.postgres.pool;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.ClaimRequest.Subject;
import dev.mintmark.postgres.pool.ClaimResult.AlreadyHeld;
import dev.mintmark.postgres.pool.ClaimResult.Exhausted;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The order of claims, with a database that answers when the tests say so. */
@Tag("database")
class ClaimQueueTest {
  private final List<List<String>> batches = Collections.synchronizedList(new ArrayList<>());
  private final List<Long> named = Collections.synchronizedList(new ArrayList<>());
  private final CountDownLatch hanging = new CountDownLatch(1);
  private final ClaimQueue queue =
      new ClaimQueue("p", new Exhaustion("p"), new Answers(), ThreadPerTask.EXECUTOR, () -> false);

  /** The first batch hangs until a test ends that. Nobody gets a value. */
  private final class Answers implements ClaimQueue.Answers {
    @Override
    public Map<Subject, ClaimResult> claim(List<ClaimRequest> requests) {
      batches.add(requests.stream().map(ClaimRequest::client).toList());
      if (batches.size() == 1) {
        awaitEnd();
        return results(requests, new AlreadyHeld(List.of()));
      }
      return results(requests, new Exhausted("p", Instant.EPOCH, Duration.ZERO));
    }

    private static Map<Subject, ClaimResult> results(
        List<ClaimRequest> requests, ClaimResult result) {
      return requests.stream().collect(Collectors.toMap(ClaimRequest::subject, one -> result));
    }

    private void awaitEnd() {
      try {
        hanging.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }

    @Override
    public Map<Subject, ClaimResult> await(List<ClaimRequest> requests, long sinceNanos) {
      throw new IllegalStateException("nothing is locked");
    }

    /** The first hangs. */
    @Override
    public ClaimResult claimNamed(ClaimRequest request, long sinceNanos) {
      named.add(sinceNanos);
      if (named.size() == 1) {
        awaitEnd();
      }
      return new AlreadyHeld(List.of());
    }
  }

  @Test
  void whatABatchThatHangsHasAskedForIsAskedForOnceMore() {
    CompletableFuture<ClaimResult> first = queue.submit(ClaimRequest.of("a"));
    Session.await("the first batch hangs", () -> batches.size() == 1);

    assertThat(Session.join(first)).as("from another batch").isInstanceOf(Exhausted.class);
    assertThat(batches).containsExactly(List.of("a"), List.of("a"));
    hanging.countDown();
    assertThat(Session.join(queue.submit(ClaimRequest.of("b")))).isInstanceOf(Exhausted.class);
    assertThat(batches).as("a is not asked for again").hasSize(3);
  }

  @Test
  void aClaimThatWaitsForAnotherOfItsClientWaitsSinceItWasAskedFor() {
    CompletableFuture<ClaimResult> first = queue.submit(ClaimRequest.of("a").withValue("1"));
    Session.await("the first claim hangs", () -> named.size() == 1);
    CompletableFuture<ClaimResult> second = queue.submit(ClaimRequest.of("a").withValue("2"));
    long asked = System.nanoTime();

    hanging.countDown();

    assertThat(Session.join(first)).isNotNull();
    assertThat(Session.join(second)).isNotNull();
    assertThat(named.get(1) - asked).isNotPositive();
  }

  @Test
  void othersDoNotWaitForABatchThatHangs() {
    CompletableFuture<ClaimResult> first = queue.submit(ClaimRequest.of("a"));
    Session.await("the first batch hangs", () -> batches.size() == 1);

    assertThat(queue.submit(ClaimRequest.of("b"))).succeedsWithin(Duration.ofMinutes(1));
    hanging.countDown();
    assertThat(Session.join(first)).isNotNull();
  }
}
