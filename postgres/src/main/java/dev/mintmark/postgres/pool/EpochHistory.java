package dev.mintmark.postgres.pool;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * The epochs of a database in their order, where the database is now, and what follows for an
 * instance that knows one of the epochs: whether the database went back, and whether an epoch must
 * begin. V3__epochs.sql says what an epoch is. Immutable.
 *
 * @param epochs at least one
 * @param timeline of the server; null: it does not say
 * @param system the system identifier of the cluster; null: the server does not say
 * @param lastToken the last token that was drawn
 */
record EpochHistory(
    List<Epoch> epochs, @Nullable String timeline, @Nullable Long system, long lastToken) {
  EpochHistory {
    epochs = List.copyOf(epochs);
  }

  /**
   * An epoch.
   *
   * @param timeline on which it began; null: the server did not say
   * @param system the cluster in which it began; null: the server did not say
   * @param wentBack whether something was lost for certain when it began
   * @param lastToken the last token that was drawn before
   */
  record Epoch(
      UUID id,
      @Nullable String timeline,
      @Nullable Long system,
      boolean wentBack,
      long lastToken) {}

  /**
   * What an instance has seen of a database.
   *
   * @param epoch the epoch that it knows; null: none yet
   * @param token the greatest token that belongs to the known epoch or to earlier ones
   * @param other the greatest of the other tokens
   */
  record Seen(@Nullable Epoch epoch, long token, long other) {
    long greatestToken() {
      return Math.max(token, other);
    }
  }

  /** A row of load_epochs.sql: an epoch, and where the database is now. */
  record Row(Epoch epoch, @Nullable String timeline, @Nullable Long system, long lastToken) {
    static Row read(ResultSet row) throws SQLException {
      Epoch epoch =
          new Epoch(
              row.getObject("epoch", UUID.class),
              row.getString("timeline"),
              row.getObject("system_identifier", Long.class),
              row.getBoolean("went_back"),
              row.getLong("last_token"));
      return new Row(
          epoch,
          row.getString("timeline_now"),
          row.getObject("system_identifier_now", Long.class),
          row.getLong("last_token_now"));
    }
  }

  /**
   * The history that was read.
   *
   * @throws PoolUnavailableException if there are no epochs
   */
  static EpochHistory of(List<Row> rows) {
    if (rows.isEmpty()) {
      throw new PoolUnavailableException(
          "all pools: mintmark.pool_epoch has no rows: what the database went through is not known;"
              + " restore the table, or run the last statements of V3__epochs.sql again");
    }
    Row any = rows.get(0);
    return new EpochHistory(
        rows.stream().map(Row::epoch).toList(), any.timeline, any.system, any.lastToken);
  }

  Epoch latest() {
    return epochs.get(epochs.size() - 1);
  }

  /**
   * Whether an epoch must begin: the database is not where the latest one began, or has lost
   * something.
   *
   * @param seenEpochs the ids of all epochs that the instance has seen, now or before
   */
  boolean needsEpoch(Seen seen, Set<UUID> seenEpochs) {
    return hasMoved() || hasLost(seen, seenEpochs);
  }

  /** Whether something is lost for certain in the epoch that must begin. */
  boolean wentBack(Seen seen, Set<UUID> seenEpochs) {
    return isEarlierTimeline() || hasLost(seen, seenEpochs);
  }

  /** A token that was drawn, or may have been, though the database may not know. */
  long greatestToken(Seen seen) {
    return Math.max(seen.greatestToken(), tokenOfLostEpoch(seen.epoch));
  }

  /**
   * What an instance reports when it knows the latest epoch: empty if it knew that epoch already,
   * or knew none and did not begin this one.
   *
   * @param known the epoch that it knew before
   * @param began whether it has begun the latest epoch
   */
  Optional<Failover> failoverFrom(@Nullable Epoch known, boolean began) {
    Epoch earlier = known == null && began ? epochs.get(epochs.size() - 2) : known;
    if (earlier == null || earlier.equals(latest())) {
      return Optional.empty();
    }
    return Optional.of(
        new Failover(
            Optional.ofNullable(earlier.timeline),
            Optional.ofNullable(latest().timeline),
            latest().wentBack));
  }

  /** Whether the server is not where the latest epoch began. A server may not say. */
  private boolean hasMoved() {
    return !Objects.equals(timeline, latest().timeline) || isOtherSystem();
  }

  private boolean isOtherSystem() {
    Long before = latest().system;
    return before != null && system != null && !before.equals(system);
  }

  /** Timelines ascend, within one cluster. */
  private boolean isEarlierTimeline() {
    String before = latest().timeline;
    return before != null && timeline != null && !isOtherSystem() && timeline.compareTo(before) < 0;
  }

  /**
   * Whether something that the instance saw is missing, and no epoch has begun for that. An epoch
   * that the instance does not know began after the one it knows; or, if that one is missing, after
   * the database went back: what the instance knows has no other ancestors.
   */
  private boolean hasLost(Seen seen, Set<UUID> seenEpochs) {
    if (seen.epoch == null) {
      return false;
    }
    int at = epochs.indexOf(seen.epoch);
    if (at >= 0 && lastTokenOf(at) >= seen.token && lastToken >= seen.other) {
      return false;
    }
    return epochs.stream().noneMatch(epoch -> epoch.wentBack && !seenEpochs.contains(epoch.id));
  }

  /** The last token that was drawn before the epoch at an index ended. */
  private long lastTokenOf(int index) {
    return index + 1 < epochs.size() ? epochs.get(index + 1).lastToken : lastToken;
  }

  /**
   * Where the tokens of the known epoch began, if it is missing: they may have gone on from there.
   */
  private long tokenOfLostEpoch(@Nullable Epoch known) {
    return known == null || epochs.contains(known)
        ? 0
        : known.lastToken + PoolQuarantine.TOKEN_JUMP;
  }
}
