package dev.mintmark.spark.job;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.IntStream;

/** Ranges of a key, as conditions in SQL that an index answers, each key in one of them. */
final class KeyRanges {
  private KeyRanges() {}

  /** What a key is to PostgreSQL. */
  enum KeyType {
    UUID,
    NUMBER;

    /** The type by the name that {@code format_type} has for it; empty if it is no such key. */
    static Optional<KeyType> of(String type) {
      return switch (type) {
        case "uuid" -> Optional.of(UUID);
        case "smallint", "integer", "bigint" -> Optional.of(NUMBER);
        default -> Optional.empty();
      };
    }

    /** The key as a number: of a UUID its 128 bits, without a sign. */
    BigInteger number(String key) {
      return this == UUID ? new BigInteger(key.replace("-", ""), 16) : new BigInteger(key);
    }

    /** The number as a constant of SQL. */
    String literal(BigInteger number) {
      return this == UUID
          ? "'%s'::uuid".formatted(new UUID(number.shiftRight(64).longValue(), number.longValue()))
          : "'%d'::bigint".formatted(number);
    }
  }

  /**
   * Divides the keys from the first to the last of a sorted list. Between two of the list they are
   * taken to be as dense as between any other two.
   *
   * @param column the name of the key, quoted
   * @param quantiles at least one key, ascending
   * @param count how many ranges are wanted; there are fewer if there are fewer keys
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

  /** The key that {@code i / count} of all keys are below. */
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
