package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Column;
import dev.mintmark.operations.internal.schema.ForeignKey;
import dev.mintmark.operations.migrate.KeyGroup.Member;
import dev.mintmark.operations.migrate.KeyGroup.Reference;
import dev.mintmark.operations.migrate.TableLock.Mode;
import dev.mintmark.postgres.internal.SqlName;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The trigger that keeps the old and the new columns of a table the same. It runs with the
 * privileges of the role that migrates, so that writers need none on the functions that it calls.
 * It fires after every other trigger, because triggers fire in the order of their names.
 */
final class Synchronisation {
  static final String TRIGGER = "zzz_mintmark_sync";

  /** Parameters: the column, the old one, the new value of the old one. */
  private static final String TO_NEW =
      """
        if new.%2$s is distinct from old.%2$s then
          new.%1$s := %3$s;
        end if;
      """;

  /**
   * Once all columns have their new values. An old value that is replaced by another spelling of it
   * stays, because the rows that refer to it have it too. Parameters: the old column, whether the
   * row has another value or refers to another row, the old value then.
   */
  private static final String TO_OLD =
      """
        if tg_op = 'INSERT' or %2$s then
          new.%1$s := %3$s;
        else
          new.%1$s := old.%1$s;
        end if;
      """;

  /** Parameters: the column, the old one, the new value of the old one, the old of the new one. */
  private static final String WIDENED =
      """
        if new.%2$s is distinct from old.%2$s and new.%2$s is not null
          and (tg_op = 'INSERT' or new.%1$s is not distinct from old.%1$s) then
          new.%1$s := %3$s;
        end if;
        new.%2$s := %4$s;
      """;

  /**
   * Keeps a text that spells nothing. Those of rows that are older than the switch are read before
   * the contraction. Parameters: the column, the old one, the names of the table and the column,
   * whether the text spells nothing.
   */
  private static final String QUARANTINE =
      """
        if (tg_op = 'INSERT' or new.%2$s is distinct from old.%2$s) and %4$s then
          insert into mintmark.key_quarantine (migration_id, relation, id, value)
          select max(m.id), %3$s, new.%1$s, new.%2$s::text from mintmark.key_migration m
          on conflict do nothing;
        end if;
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
      Conversion conversion = changes.conversionOf(table, column);
      String name = SqlName.quoted(column.name());
      String previous = previous(column);
      body.append(
          (changes.keepCompatibilityView() ? TO_NEW + required(table, column) : WIDENED)
              .formatted(
                  name,
                  previous,
                  conversion.toNew("new." + previous),
                  conversion.toOld("new." + name, column)));
    }
    if (changes.keepCompatibilityView()) {
      // What a row refers to in itself has its old value then.
      changes.of(table).stream()
          .sorted(Comparator.comparing(column -> refersTo(table, column, table)))
          .forEach(
              column ->
                  body.append(
                      TO_OLD.formatted(
                          previous(column), isMoved(table, column), toOld(table, column))));
      changes.of(table).forEach(column -> body.append(quarantine(table, column)));
    }
    return body.toString();
  }

  private String quarantine(LiveTable table, Column column) {
    String name = SqlName.quoted(column.name());
    return changes.conversionOf(table, column) instanceof TextToUuid texts && texts.quarantines()
        ? QUARANTINE.formatted(
            name,
            previous(column),
            SqlLiteral.of(table.shown() + "." + column.name()),
            texts.isQuarantined("new." + previous(column), "new." + name))
        : "";
  }

  private static String previous(Column column) {
    return SqlName.quoted(ShadowName.previous(column.name()));
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

  /**
   * An identifier has several spellings: the referenced row determines which one, so that old code
   * finds it, and the old foreign key holds on rollback. Otherwise it stays as it was given.
   */
  private String toOld(LiveTable table, Column column) {
    String name = SqlName.quoted(column.name());
    String value =
        "case when %3$s and new.%1$s is not distinct from old.%1$s then %2$s else new.%1$s end"
            .formatted(
                previous(column),
                changes.conversionOf(table, column).toOld("new." + name, column),
                isChanged(column));
    for (Reference reference : references(table, column)) {
      value = "coalesce(%s, %s)".formatted(ofReferenced(table, reference), value);
    }
    return value;
  }

  private static String isChanged(Column column) {
    return "new.%1$s is distinct from old.%1$s".formatted(SqlName.quoted(column.name()));
  }

  /** Whether a column has another new value, or one of its foreign keys is of another row. */
  private String isMoved(LiveTable table, Column column) {
    Set<Column> columns = new LinkedHashSet<>(List.of(column));
    references(table, column)
        .forEach(
            reference ->
                reference.key().columns().stream()
                    .map(end -> table.column(end.number()))
                    .filter(Synchronisation::isComparable)
                    .forEach(columns::add));
    return columns.stream().map(Synchronisation::isChanged).collect(Collectors.joining(" or "));
  }

  /** Whether the operators of its type are certainly on the path. */
  private static boolean isComparable(Column column) {
    return column.type().builtIn();
  }

  private boolean refersTo(LiveTable table, Column column, LiveTable other) {
    return references(table, column).stream()
        .anyMatch(reference -> reference.to().table().equals(other));
  }

  /** The references of a column to others that change. */
  private List<Reference> references(LiveTable table, Column column) {
    return changes.keyOf(table, column).group().referencesOf(new Member(table, column)).stream()
        .filter(reference -> changes.of(reference.to().table()).contains(reference.to().column()))
        .toList();
  }

  /** The old value of the row that the new row refers to by a foreign key, which may be itself. */
  private String ofReferenced(LiveTable table, Reference reference) {
    LiveTable referenced = reference.to().table();
    String previous = previous(reference.to().column());
    String stored =
        "(select referenced.%s::text from %s referenced where %s limit 1)"
            .formatted(
                previous,
                changes.quotedAfterSwitch(referenced),
                isReferenced("referenced", table, reference));
    return referenced.equals(table)
        ? "case when %s then new.%s::text else %s end"
            .formatted(isReferenced("new", table, reference), previous, stored)
        : stored;
  }

  /** Whether a row of the referenced table is the one that the new row refers to. */
  private String isReferenced(String row, LiveTable table, Reference reference) {
    ForeignKey key = reference.key();
    List<String> conditions = new ArrayList<>();
    for (int i = 0; i < key.columns().size(); i++) {
      Column from = table.column(key.columns().get(i).number());
      Column to = reference.to().table().column(key.referencedColumns().get(i).number());
      if (isComparable(from)) {
        boolean isText = from.base().isText() && !changes.of(table).contains(from);
        conditions.add(
            "%s.%s = new.%s%s"
                .formatted(
                    row,
                    SqlName.quoted(to.name()),
                    SqlName.quoted(from.name()),
                    isText ? " collate " + to.type().collation() : ""));
      }
    }
    return String.join(" and ", conditions);
  }
}
