package dev.mintmark.app.view;

import dev.mintmark.operations.migrate.Limit;

/** Where rollback ends before the contraction, as JSON. The value is text: it may pass 2^53. */
record RollbackLimitJson(String column, String last) {
  static RollbackLimitJson of(Limit limit) {
    return new RollbackLimitJson(limit.column(), Long.toString(limit.last()));
  }
}
