package dev.mintmark.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.testkit.Operation.Answer;
import dev.mintmark.testkit.Operation.Call;
import dev.mintmark.testkit.Operation.Held;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.time.Duration;
import java.util.List;
import javax.sql.DataSource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** What a program that calls the functions of SQL can know of its claims. */
@Tag("database")
class SqlAllocatorTest {
  private static final Call.Claim IN_SLOT_1 = Call.Claim.of("client-1").withSlots(1, 1);

  private final TestDatabase database = TestDatabase.create();

  private final Pools pools = Pools.over(database.dataSource());

  @BeforeEach
  void createPool() {
    pools.create(
        PoolSpec.of("numbers", List.of(Block.parse("1..6")))
            .withPerClient(2)
            .withLease(Duration.ofMinutes(1)));
  }

  @AfterEach
  void close() {
    pools.close();
  }

  @Test
  void aNamedClaimIsReportedInTheSlotThatHoldsTheValue() {
    SqlAllocator allocator = over(database.dataSource());
    Held held = granted(allocator.claim(IN_SLOT_1));

    assertThat(allocator.claim(Call.Claim.of("client-1").withValue(held.value())))
        .isEqualTo(new Answer.AlreadyHeld(List.of(held)));
  }

  @Test
  void aNamedClaimThatEndsBeforeItsSlotIsReadIsNotReportedInAnotherSlot() {
    SqlAllocator other = over(database.dataSource());
    Held held = granted(other.claim(IN_SLOT_1));
    SqlAllocator allocator = over(beforeSlotIsRead(() -> other.release(held)));

    assertThat(allocator.claim(Call.Claim.of("client-1").withValue(held.value())))
        .isInstanceOf(Answer.Unknown.class);
  }

  private SqlAllocator over(DataSource instance) {
    return new SqlAllocator("numbers", instance, database.dataSource());
  }

  private static Held granted(Answer answer) {
    return RecordedAllocator.held(answer).get(0);
  }

  /** Connections that do something before the statement that reads the slot of a claim is sent. */
  private DataSource beforeSlotIsRead(Runnable meanwhile) {
    return InterceptingProxy.of(
        DataSource.class,
        database.dataSource(),
        (method, call) -> {
          Object result = call.proceed();
          return result instanceof Connection connection
              ? InterceptingProxy.of(
                  Connection.class,
                  connection,
                  (ofConnection, prepare) -> {
                    Object prepared = prepare.proceed();
                    if (prepared instanceof PreparedStatement statement
                        && statement.toString().contains("from mintmark.pool_claims")) {
                      meanwhile.run();
                    }
                    return prepared;
                  })
              : result;
        });
  }
}
