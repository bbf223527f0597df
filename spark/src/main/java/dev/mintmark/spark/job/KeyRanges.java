package dev.mintmark.spark.job;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

/** Divides a key into ranges: SQL conditions that use an index. Each key is in one range. */
final class KeyRanges {
  private KeyRanges() {}

  /** The type of a key in PostgreSQL. */
  enum KeyType {
    UUID,
    NUMBER;

    /** Returns the type with a name of {@code format_type}; empty if it cannot be such a key. */
    static Optional<KeyType> of(String type) {
      return switch (type) {
        case "uuid" -> Optional.of(UUID);
        case "smallint", "integer", "bigint" -> Optional.of(NUMBER);
        default -> Optional.empty();
      };
    }

    /** Returns the key as a number. A UUID is an unsigned number of 128 bits. */
    BigInteger number(String key) {
      return this == UUID ? new BigInteger(key.replace("-", ""), 16) : new BigInteger(key);
    }

    /** Returns the smallest key. */
    BigInteger smallest() {
      return this == UUID ? BigInteger.ZERO : BigInteger.valueOf(Long.MIN_VALUE);
    }

    /** Returns the number as an SQL constant. */
    String literal(BigInteger number) {
      return this == UUID
          ? "'%s'::uuid".formatted(new UUID(number.shiftRight(64).longValue(), number.longValue()))
          : "'%s'::bigint".formatted(number);
    }
  }

  /**
   * Divides the keys from the first to the last quantile. It assumes that there are equally many
   * keys between any two adjacent quantiles.
   *
   * @param column the quoted name of the key
   * @param quantiles at least one key, ascending
   * @param count the number of ranges; there are fewer ranges if there are fewer keys
   */
  static List<String> conditions(
      KeyType type, String column, List<BigInteger> quantiles, int count) {
    BigInteger last = quantiles.get(quantiles.size() - 1);
    List<BigInteger> starts =
        IntStream.range(0, count).mapToObj(i -> start(quantiles, i, count)).distinct().toList();
    List<String> conditions = new ArrayList<>();
    for (int i = 0; i < starts.size(); i++) {
      boolean isLast = i == starts.size() - 1;
      conditions.add(
          "%s >= %s and %s %s %s"
              .formatted(
                  column,
                  type.literal(starts.get(i)),
                  column,
                  isLast ? "<=" : "<",
                  type.literal(isLast ? last : starts.get(i + 1))));
    }
    return conditions;
  }

  /** Returns the key below which are {@code i / count} of all keys. */
  private static BigInteger start(List<BigInteger> quantiles, int i, int count) {
    long gaps = quantiles.size() - 1L;
    int gap = (int) (gaps * i / count);
    if (gap == gaps) {
      return quantiles.get(gap);
    }
    long within = gaps * i - (long) gap * count;
    BigInteger from = quantiles.get(gap);
    BigInteger width = quantiles.get(gap + 1).subtract(from);
    return from.add(width.multiply(BigInteger.valueOf(within)).divide(BigInteger.valueOf(count)));
  }
}
