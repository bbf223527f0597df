package dev.mintmark.operations.migrate;

import java.util.Locale;

/** How far a step of a migration is. */
public enum StepState {
  /** It has not begun. */
  PENDING,
  /** It has begun; only a step that takes more than one transaction is seen like this. */
  DOING,
  /** It is done. */
  DONE,
  /** It was begun or done, and is undone. */
  UNDONE;

  /** The name by which answers call this state: {@code doing}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  static StepState of(String label) {
    return valueOf(label.toUpperCase(Locale.ROOT));
  }
}
