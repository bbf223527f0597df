package dev.mintmark.operations.migrate;

import java.util.Locale;

/**
 * The state of a migration.
 *
 * <pre>{@code
 * APPLYING ------> BAKING ------> CONTRACTING ------> CONTRACTED
 *     |              |
 *     +-> ROLLING_BACK <-+
 *              |
 *         ROLLED_BACK
 * }</pre>
 */
public enum MigrationState {
  /** Its steps are run, or will be once it is resumed. */
  APPLYING,
  /** The new columns are in use, the old ones are kept. */
  BAKING,
  /** The old columns are dropped: rollback is no longer possible. */
  CONTRACTING,
  /** It is over: the old columns are gone. */
  CONTRACTED,
  /** Its steps are undone, or will be once it is resumed. */
  ROLLING_BACK,
  /** It is over: everything is as before. */
  ROLLED_BACK;

  /** The name by which answers call this state: {@code rolling-back}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /** Whether it is over, so that another migration may begin. */
  public boolean isEnd() {
    return this == CONTRACTED || this == ROLLED_BACK;
  }

  /** Whether it may be rolled back from here. */
  boolean hasWayBack() {
    return this == APPLYING || this == BAKING;
  }

  static MigrationState of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
