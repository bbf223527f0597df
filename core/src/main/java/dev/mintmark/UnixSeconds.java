package dev.mintmark;

import java.time.Instant;

/** 32 bits of seconds since an epoch, taken as an unsigned number. */
record UnixSeconds(Instant epoch) {
  /** Of an {@link ObjectId} and a {@link Xid}: 1970 to 2106-02-07. */
  static final UnixSeconds SINCE_1970 = new UnixSeconds(Instant.EPOCH);

  /** Of a {@link Ksuid}: 2014-05-13T16:53:20Z to 2150-06-19. */
  static final UnixSeconds SINCE_2014 = new UnixSeconds(Instant.ofEpochSecond(1_400_000_000));

  private static final long MAX = 0xFFFF_FFFFL;

  /** The last second. */
  Instant last() {
    return epoch.plusSeconds(MAX);
  }

  /** The start of a second. */
  Instant time(int seconds) {
    return epoch.plusSeconds(Integer.toUnsignedLong(seconds));
  }

  /**
   * The second that an instant falls in.
   *
   * @throws IllegalArgumentException if 32 bits cannot count it
   */
  int at(Instant time) {
    if (time.isBefore(epoch) || !time.isBefore(last().plusSeconds(1))) {
      throw new IllegalArgumentException(
          "time "
              + time
              + ": expected "
              + Form.timeText(epoch)
              + " to "
              + Form.timeText(last().plusMillis(999)));
    }
    return (int) (time.getEpochSecond() - epoch.getEpochSecond());
  }
}
