package dev.mintmark.postgres.pool;

import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.List;
import java.util.OptionalInt;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * The state of a value, and of a client that claims it by name, as value_state.sql reads them.
 *
 * @param fence what {@code pool_fence} answers: open, fenced, stopped, cut-off or sliced
 * @param version of the value's block
 * @param closed whether the block is drained, or is closed as a whole for a time
 * @param excluded whether the value is excluded
 * @param holder the client that holds the value; null: none does
 * @param ended whether the holder's lease has ended
 * @param quarantined whether the value is in quarantine
 * @param recovered whether its quarantine has ended
 * @param lastClient who held it before the quarantine
 * @param slots the slots of the client that are filled
 * @param slotEnded whether the lease of one of them has ended
 */
record ValueState(
    @Nullable String fence,
    long version,
    boolean closed,
    boolean excluded,
    @Nullable String holder,
    boolean ended,
    boolean quarantined,
    boolean recovered,
    @Nullable String lastClient,
    List<Integer> slots,
    boolean slotEnded) {
  /** Answers of the fence: those of claim.sql. */
  private static final String FENCED = "fenced";

  private static final String STOPPED = "stopped";
  private static final String CUT_OFF = "cut-off";
  private static final String SLICED = "sliced";

  /** What a claim of the value meets. */
  enum Finding {
    /** A lease or a quarantine has ended, and no sweep has run since. */
    UNSWEPT,
    /** The client holds the value already. */
    HELD,
    /** Another client holds it, or no client may have it now: quarantined, or its block closed. */
    TAKEN,
    EXCLUDED,
    /** The database may have gone back. */
    FENCED,
    STOPPED,
    CUT_OFF,
    SLICED,
    /** The client holds as many values as the pool allows. */
    FULL,
    /** The client may have the value. */
    AVAILABLE
  }

  static ValueState read(ResultSet row) throws SQLException {
    return new ValueState(
        row.getString("fence"),
        row.getLong("version"),
        row.getBoolean("closed"),
        row.getBoolean("excluded"),
        row.getString("holder"),
        row.getBoolean("ended"),
        row.getBoolean("quarantined"),
        row.getBoolean("recovered"),
        row.getString("last_client"),
        Arrays.asList((Integer[]) row.getArray("slots").getArray()),
        row.getBoolean("slot_ended"));
  }

  /**
   * Returns what a claim of a client meets first. A holder counts in any epoch; whether the value
   * is closed or quarantined is known only in the present one.
   *
   * @param perClient how many values the pool allows a client
   */
  Finding findingFor(String client, int perClient) {
    if (ended || slotEnded || recovered) {
      return Finding.UNSWEPT;
    }
    if (holder != null) {
      return holder.equals(client) ? Finding.HELD : Finding.TAKEN;
    }
    if (excluded) {
      return Finding.EXCLUDED;
    }
    if (FENCED.equals(fence)) {
      return Finding.FENCED;
    }
    if (closed || (quarantined && !client.equals(lastClient))) {
      return Finding.TAKEN;
    }
    if (STOPPED.equals(fence)) {
      return Finding.STOPPED;
    }
    if (CUT_OFF.equals(fence)) {
      return Finding.CUT_OFF;
    }
    if (SLICED.equals(fence)) {
      return Finding.SLICED;
    }
    return freeSlot(perClient).isPresent() ? Finding.AVAILABLE : Finding.FULL;
  }

  /** The lowest free slot of the client; empty if it holds as many values as the pool allows. */
  OptionalInt freeSlot(int perClient) {
    return slots.size() < perClient
        ? IntStream.range(0, perClient).filter(slot -> !slots.contains(slot)).findFirst()
        : OptionalInt.empty();
  }
}
