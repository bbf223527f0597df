package dev.mintmark;

/**
 * What 128 bits are taken for if nothing but their source is known. One stored ULID in eight has
 * the version and variant of a UUID by chance, so the bits alone do not decide it.
 */
enum BitsRule {
  /** They are declared to be a ULID: the first 48 bits are its time. */
  ULID {
    @Override
    Layout layout(long high, long low, long nowMillis) {
      return Layout.ULID;
    }
  },

  /** They are declared to be a UUID: its version determines the time. */
  UUID {
    @Override
    Layout layout(long high, long low, long nowMillis) {
      return Layout.of(high, low);
    }
  },

  /** Nothing is declared: the layout that {@link Ranking} puts first for the text of a UUID. */
  RANKED {
    @Override
    Layout layout(long high, long low, long nowMillis) {
      Layout byVersion = Layout.of(high, low);
      boolean isMarked = byVersion.isMarked();
      if (isMarked && isPlausible(byVersion, high, nowMillis)) {
        return byVersion;
      }
      if (isPlausible(Layout.UUID_V7_DRAFT, high, nowMillis)
          && byVersion == Layout.UUID_V7
          && draftMillisecond(high) < MILLIS_PER_SECOND) {
        return Layout.UUID_V7_DRAFT;
      }
      return isPlausible(Layout.ULID, high, nowMillis) ? Layout.ULID : byVersion;
    }
  };

  /** The result of {@link #millis} for a layout without a time. */
  static final long NO_TIME = Long.MIN_VALUE;

  private static final int MILLIS_PER_SECOND = 1000;
  private static final int TICKS_PER_MILLI = 10_000;

  /** Milliseconds from the start of the Gregorian calendar to 1970. */
  private static final long GREGORIAN_MILLIS = -Timescale.GREGORIAN.epoch().toEpochMilli();

  /**
   * Returns the layout of the bits.
   *
   * @param nowMillis the present time, which separates past and future
   */
  abstract Layout layout(long high, long low, long nowMillis);

  /**
   * The time in milliseconds since 1970, rounded down, as {@link Layout#time} has it; {@link
   * #NO_TIME} for a layout without one.
   *
   * @param high the first 64 of 128 bits
   */
  static long millis(Layout layout, long high) {
    return switch (layout) {
      case ULID, UUID_V7, TYPEID -> high >>> 16;
      case UUID_V7_DRAFT -> (high >>> 28) * MILLIS_PER_SECOND + draftMillisecond(high);
      case UUID_V1 ->
          gregorian((high & 0xFFFL) << 48 | (high >>> 16 & 0xFFFFL) << 32 | high >>> 32);
      case UUID_V6 -> gregorian(high >>> 16 << 12 | (high & 0xFFFL));
      default -> NO_TIME;
    };
  }

  private static boolean isPlausible(Layout layout, long high, long nowMillis) {
    long millis = millis(layout, high);
    return millis == NO_TIME
        || (millis >= layout.earliestMillis()
            && millis - nowMillis <= Layout.CLOCK_SKEW_MAX.toMillis());
  }

  private static long draftMillisecond(long high) {
    return high >>> 16 & 0xFFFL;
  }

  private static long gregorian(long ticks) {
    return ticks / TICKS_PER_MILLI - GREGORIAN_MILLIS;
  }
}
