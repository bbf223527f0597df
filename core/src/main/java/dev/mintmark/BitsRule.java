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
      return SortableLayouts.ULID;
    }
  },

  /** They are declared to be a UUID: its version determines the time. */
  UUID {
    @Override
    Layout layout(long high, long low, long nowMillis) {
      return UuidLayouts.of(high, low);
    }
  },

  /** Nothing is declared: the layout that {@link Ranking} puts first for the text of a UUID. */
  RANKED {
    @Override
    Layout layout(long high, long low, long nowMillis) {
      Layout byVersion = UuidLayouts.of(high, low);
      boolean isMarked = byVersion.isMarked();
      if (isMarked && isPlausible(byVersion, high, nowMillis)) {
        return byVersion;
      }
      if (isPlausible(UuidLayouts.UUID_V7_DRAFT, high, nowMillis)
          && byVersion == UuidLayouts.UUID_V7
          && draftMillisecond(high) < MILLIS_PER_SECOND) {
        return UuidLayouts.UUID_V7_DRAFT;
      }
      return isPlausible(SortableLayouts.ULID, high, nowMillis) ? SortableLayouts.ULID : byVersion;
    }
  };

  private static final int MILLIS_PER_SECOND = 1000;

  /**
   * Returns the layout of the bits.
   *
   * @param nowMillis the present time, which separates past and future
   */
  abstract Layout layout(long high, long low, long nowMillis);

  private static boolean isPlausible(Layout layout, long high, long nowMillis) {
    long millis = layout.highTime().millis(high);
    return millis == HighTime.NONE
        || (millis >= layout.earliestMillis()
            && millis - nowMillis <= Layout.CLOCK_SKEW_MAX.toMillis());
  }

  private static long draftMillisecond(long high) {
    return high >>> 16 & 0xFFFL;
  }
}
