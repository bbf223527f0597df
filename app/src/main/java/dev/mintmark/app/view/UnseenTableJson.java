package dev.mintmark.app.view;

import dev.mintmark.operations.doctor.UnseenTable;
import org.jspecify.annotations.Nullable;

/** A table whose values the doctor could not read, and the statement after which it can. */
record UnseenTableJson(String table, String reason, @Nullable String remedy) {
  static UnseenTableJson of(UnseenTable unseen) {
    return new UnseenTableJson(unseen.shown(), unseen.reason(), unseen.remedy().orElse(null));
  }
}
