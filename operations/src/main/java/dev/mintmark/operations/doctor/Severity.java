package dev.mintmark.operations.doctor;

import java.util.Locale;

/** How bad a finding is, from the least on. */
public enum Severity {
  /** Good to know; nothing gets worse by itself. */
  NOTICE,
  /** Costs something every day, or will fail one day. */
  WARNING,
  /** Fails now or soon. */
  CRITICAL;

  /** How it is written: {@code warning}. */
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }
}
