package dev.mintmark.app.view;

import dev.mintmark.operations.doctor.NotLookedAt;

/** What the doctor could not look at, and why, as JSON. */
record NotLookedAtJson(String object, String reason) {
  static NotLookedAtJson of(NotLookedAt unseen) {
    return new NotLookedAtJson(unseen.object(), unseen.reason());
  }
}
