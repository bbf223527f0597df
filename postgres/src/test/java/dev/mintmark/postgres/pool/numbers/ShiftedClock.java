package dev.mintmark.postgres.pool.numbers;

import dev.mintmark.fixtures.TestDatabase;
import java.time.Duration;

/**
 * A database whose clock a test moves: {@code now()} of sessions that begin from then on is a
 * function of ours, which is found before the server's own.
 */
final class ShiftedClock {
  private final TestDatabase database;

  private ShiftedClock(TestDatabase database) {
    this.database = database;
  }

  static ShiftedClock of(TestDatabase database) {
    database.execute(
        """
        drop schema if exists clock cascade;
        create schema clock;
        create table clock.shift (by interval not null);
        insert into clock.shift values ('0');
        create function clock.now() returns timestamptz language sql stable
          return pg_catalog.now() + (select by from clock.shift);
        create function clock.clock_timestamp() returns timestamptz language sql volatile
          return pg_catalog.clock_timestamp() + (select by from clock.shift);
        alter database %s set search_path = clock, pg_catalog, public;
        """
            .formatted(database.name()));
    return new ShiftedClock(database);
  }

  /** Moves the clock forward, or back where it is negative. */
  void move(Duration by) {
    database.execute(
        "update clock.shift set by = by + interval '1 millisecond' * " + by.toMillis());
  }
}
