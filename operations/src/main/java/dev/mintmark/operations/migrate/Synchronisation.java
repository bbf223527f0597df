package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Column;
import dev.mintmark.operations.migrate.KeyGroup.Member;
import dev.mintmark.operations.migrate.TableLock.Mode;
import dev.mintmark.postgres.internal.SqlName;
import java.util.List;

/**
 * The trigger that keeps the old and the new columns of a table the same. It runs with the
 * privileges of the role that migrates, so that writers need none on the functions that it calls.
 * It fires after every other trigger, because triggers fire in the order of their names.
 */
final class Synchronisation {
  static final String TRIGGER = "zzz_mintmark_sync";

  /** Parameters: the column, the old one, the new value of the old one, the old of the new one. */
  private static final String BOTH_WAYS =
      """
        if new.%2$s is distinct from old.%2$s then
          new.%1$s := %3$s;
        elsif tg_op = 'INSERT' or new.%1$s is distinct from old.%1$s then
          new.%2$s := %4$s;
        end if;
      """;

  /** The same for an old column that cannot hold every new value, and is null then. */
  private static final String WIDENED =
      """
        if new.%2$s is distinct from old.%2$s and new.%2$s is not null
          and (tg_op = 'INSERT' or new.%1$s is not distinct from old.%1$s) then
          new.%1$s := %3$s;
        end if;
        new.%2$s := %4$s;
      """;

  private final KeyChanges changes;

  Synchronisation(KeyChanges changes) {
    this.changes = changes;
  }

  private static String function(LiveTable table) {
    return "mintmark." + SqlName.quoted(ShadowName.with("sync " + table.quoted(), ""));
  }

  /** Creates the trigger. */
  Step step(LiveTable table) {
    String trigger = SqlName.quoted(TRIGGER);
    return PlanDraft.brief(
        Phase.SYNC,
        "fill them in rows that are written from now on: trigger on " + table.shown(),
        table,
        Mode.SHARE_ROW_EXCLUSIVE,
        new Ddl(
            List.of(
                function(table, syncBefore(table)),
                // It fires for every role all the same, and no role can put it on another table.
                "revoke all on function " + function(table) + "() from public",
                """
                create trigger %1$s before insert or update on %2$s for each row execute function %3$s()"""
                    .formatted(trigger, table.quoted(), function(table)),
                "alter table " + table.quoted() + " enable always trigger " + trigger),
            drop(table)));
  }

  /** Returns the change at the switch: by their new names, each column follows the other. */
  Ddl atSwitch(LiveTable table) {
    return new Ddl(
        List.of(function(table, syncAfter(table))), List.of(function(table, syncBefore(table))));
  }

  /** Drops the trigger of a table that is in its own schema, and its function. */
  static List<String> drop(LiveTable table) {
    return List.of(
        "drop trigger " + SqlName.quoted(TRIGGER) + " on " + table.quoted(),
        "drop function " + function(table) + "()");
  }

  private static String function(LiveTable table, String body) {
    return """
        create or replace function %s() returns trigger
          language plpgsql security definer set search_path = pg_catalog, pg_temp
        as %s"""
        .formatted(function(table), SqlLiteral.body("begin\n" + body + "  return new;\nend"));
  }

  /** Before the switch: the new column follows the old one. */
  private String syncBefore(LiveTable table) {
    StringBuilder body = new StringBuilder();
    for (Column column : changes.of(table)) {
      String old = SqlName.quoted(column.name());
      String next = SqlName.quoted(ShadowName.next(column.name()));
      body.append(
          """
            if tg_op = 'INSERT' or new.%1$s is distinct from old.%1$s or new.%2$s is null
              or (old.%2$s is not null and new.%2$s is distinct from old.%2$s) then
              new.%2$s := %3$s;
            end if;
          """
              .formatted(old, next, changes.conversionOf(table, column).toNew("new." + old)));
    }
    return body.toString();
  }

  /**
   * After the switch each column follows the other. The old one wins if an insert gives both: it
   * has no default then, so its value was given, by a statement that names no columns.
   */
  private String syncAfter(LiveTable table) {
    StringBuilder body = new StringBuilder();
    for (Column column : changes.of(table)) {
      String name = SqlName.quoted(column.name());
      String previous = SqlName.quoted(ShadowName.previous(column.name()));
      body.append(
          (changes.keepCompatibilityView() ? BOTH_WAYS + required(table, column) : WIDENED)
              .formatted(
                  name,
                  previous,
                  changes.conversionOf(table, column).toNew("new." + previous),
                  toOld(table, column, "new." + name)));
    }
    return body.toString();
  }

  /** Names the column that users know, where the server would name the first of the two. */
  private static String required(LiveTable table, Column column) {
    return column.notNull()
        ? """
            if new.%%1$s is null then
              raise not_null_violation using
                message = %1$s, schema = %2$s, table = %3$s, column = %4$s;
            end if;
          """
            .formatted(
                SqlLiteral.of(
                    "null value in column \"%s\" of relation \"%s\" violates not-null constraint"
                        .formatted(column.name(), table.name())),
                SqlLiteral.of(table.schema()),
                SqlLiteral.of(table.name()),
                SqlLiteral.of(column.name()))
        : "";
  }

  /** If an identifier has several spellings, the referenced row determines which one. */
  private String toOld(LiveTable table, Column column, String value) {
    KeyChanges.Key key = changes.keyOf(table, column);
    String computed = key.conversion().toOld(value, column);
    if (!key.conversion().isManyToOne()) {
      return computed;
    }
    for (Member referred : key.group().referredToBy(new Member(table, column))) {
      if (changes.of(referred.table()).contains(referred.column())) {
        String parent = changes.quotedAfterSwitch(referred.table());
        computed =
            "coalesce((select parent.%s::text from %s parent where parent.%s = %s limit 1), %s)"
                .formatted(
                    SqlName.quoted(ShadowName.previous(referred.column().name())),
                    parent,
                    SqlName.quoted(referred.column().name()),
                    value,
                    computed);
      }
    }
    return computed;
  }
}
