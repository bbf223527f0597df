package dev.mintmark.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.testkit.AllocatorChecker.Finding;
import dev.mintmark.testkit.AllocatorChecker.Kind;
import dev.mintmark.testkit.AllocatorChecker.Rules;
import dev.mintmark.testkit.Operation.Answer;
import dev.mintmark.testkit.Operation.Call;
import dev.mintmark.testkit.Operation.Held;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The end of a run, with allocators of which not every value can be claimed. */
class RecordedAllocatorTest {
  private static final Set<String> VALUES = Set.of("1", "2", "3");
  private static final Duration PATIENCE = Duration.ofMillis(50);

  private final OperationLog log = OperationLog.inMemory();

  /** Grants what {@link #next} says, whether it is held or not. */
  private abstract static class Planted implements Allocator {
    private final List<Held> all = new ArrayList<>();

    /** The value of a claim with this token. */
    abstract String next(long token);

    /** What is listed, of all claims that were granted. */
    abstract List<Held> listed(List<Held> granted);

    @Override
    public Answer claim(Call.Claim claim) {
      long token = all.size() + 1L;
      Held held = new Held(next(token), claim.client(), claim.slot(), token);
      all.add(held);
      return new Answer.Granted(List.of(held));
    }

    @Override
    public Answer renew(Held held, Duration lease) {
      return new Answer.Refused();
    }

    @Override
    public Answer release(Held held) {
      return new Answer.Refused();
    }

    @Override
    public PoolCounts counts() {
      return new PoolCounts(VALUES.size(), VALUES.size() - 1, 0, 1, 0, 0, 0);
    }

    @Override
    public List<Held> held() {
      return all.isEmpty() ? List.of() : listed(all);
    }
  }

  private void settle(Allocator allocator) {
    CompletableFuture<Void> settling =
        CompletableFuture.runAsync(
            () -> new RecordedAllocator("one", allocator, log).settle(VALUES, PATIENCE),
            ThreadPerTask.EXECUTOR);
    Patience.await("the end", settling::isDone);
    settling.join();
  }

  private List<Kind> findings() {
    List<Operation> operations = log.operations();
    assertThat(operations.get(operations.size() - 1).call()).isInstanceOf(Call.Count.class);
    return AllocatorChecker.judge(operations, Rules.of(VALUES, PATIENCE)).stream()
        .map(Finding::kind)
        .toList();
  }

  @Test
  void oneValueForEveryClientIsFound() {
    settle(
        new Planted() {
          @Override
          String next(long token) {
            return "1";
          }

          @Override
          List<Held> listed(List<Held> granted) {
            return List.of(granted.get(granted.size() - 1));
          }
        });

    assertThat(findings()).contains(Kind.DOUBLED);
  }

  @Test
  void claimsThatEachEndTheOneBeforeAreFound() {
    settle(
        new Planted() {
          @Override
          String next(long token) {
            return Long.toString(1 + token % 3);
          }

          @Override
          List<Held> listed(List<Held> granted) {
            return List.of(granted.get(granted.size() - 1));
          }
        });

    assertThat(findings()).contains(Kind.VANISHED);
  }

  @Test
  void aListThatIsNotAnsweredIsReported() {
    assertThatThrownBy(
            () ->
                settle(
                    new Planted() {
                      @Override
                      String next(long token) {
                        return "1";
                      }

                      @Override
                      List<Held> listed(List<Held> granted) {
                        throw new PoolUnavailableException("no connection");
                      }
                    }))
        .hasCauseInstanceOf(PoolUnavailableException.class)
        .hasMessageContaining("no connection");
  }
}
