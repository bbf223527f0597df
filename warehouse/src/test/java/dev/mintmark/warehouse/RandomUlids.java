package dev.mintmark.warehouse;

import dev.mintmark.Ulid;
import java.time.Instant;
import java.util.List;
import java.util.Random;
import java.util.stream.Stream;

/**
 * Random ULIDs. One in eight has the version and variant of a UUID of RFC 9562 by chance.
 *
 * @param seed for the message of a failed test
 */
record RandomUlids(long seed) {
  /** The first millisecond that timestamps of BigQuery and Snowflake do not have. */
  private static final long YEAR_10000 = Instant.parse("+10000-01-01T00:00:00Z").toEpochMilli();

  /** Returns ULIDs of any of the 2^128 values. */
  List<Ulid> ofAnyTime(int count) {
    Random random = new Random(seed);
    return Stream.generate(() -> Ulid.of(random.nextLong(), random.nextLong()))
        .limit(count)
        .toList();
  }

  /** Returns ULIDs of the years 1970 to 9999. */
  List<Ulid> upToTheYear9999(int count) {
    Random random = new Random(seed);
    return Stream.generate(
            () ->
                Ulid.of(
                    random.nextLong(YEAR_10000) << 16 | random.nextLong(1 << 16),
                    random.nextLong()))
        .limit(count)
        .toList();
  }
}
