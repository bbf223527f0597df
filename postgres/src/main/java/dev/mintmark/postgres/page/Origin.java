package dev.mintmark.postgres.page;

import java.util.Optional;

/**
 * The server from which a cursor was read.
 *
 * @param cluster the system identifier of its cluster; empty if any cluster accepts the cursor
 * @param history where the history of the cluster was; empty if it was not read
 */
record Origin(String cluster, Optional<HistoryPoint> history) {
  /** The origin of cursors whose order does not count transactions. */
  static final Origin ANY = new Origin("", Optional.empty());

  /** Returns the origin of a cursor that continues from one with this point of history. */
  Origin after(Optional<HistoryPoint> seen) {
    Optional<HistoryPoint> latest =
        seen.flatMap(point -> history.map(point::latest)).or(() -> history).or(() -> seen);
    return new Origin(cluster, latest);
  }
}
