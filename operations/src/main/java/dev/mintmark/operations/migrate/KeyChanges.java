package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Column;
import dev.mintmark.operations.internal.schema.ForeignKey;
import dev.mintmark.operations.internal.schema.Relation;
import dev.mintmark.operations.migrate.KeyGroup.Member;
import dev.mintmark.operations.migrate.LiveSchema.Place;
import dev.mintmark.postgres.internal.SqlName;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;

/**
 * The columns that get another type together: those of keys that change in the same way, for keys
 * may have tables in common.
 */
final class KeyChanges {
  /**
   * A key that gets another type.
   *
   * @param column the column of its collection
   * @param group all that change with it
   * @param mint the default of that column, if the server can mint its kind
   */
  record Key(
      String collection,
      Member column,
      KeyGroup group,
      Conversion conversion,
      Optional<String> mint) {}

  private final LiveSchema schema;
  private final List<Key> keys;
  private final Map<LiveTable, List<Column>> byTable = new LinkedHashMap<>();
  private final Map<Member, Key> keyOf = new HashMap<>();
  private final Set<Place> places = new HashSet<>();
  private final Set<ForeignKey> foreignKeys = new LinkedHashSet<>();

  /**
   * @param keys at least one
   */
  KeyChanges(LiveSchema schema, List<Key> keys) {
    this.schema = schema;
    this.keys = List.copyOf(keys);
    for (Key key : keys) {
      foreignKeys.addAll(key.group().foreignKeys());
      for (Member member : key.group().changing(key.conversion())) {
        keyOf.put(member, key);
        places.add(member.place());
        byTable.computeIfAbsent(member.table(), table -> new ArrayList<>()).add(member.column());
      }
    }
    byTable.values().forEach(columns -> columns.sort(Comparator.comparing(Column::number)));
  }

  LiveSchema schema() {
    return schema;
  }

  List<Key> keys() {
    return keys;
  }

  /** The tables with columns that change. */
  Set<LiveTable> tables() {
    return byTable.keySet();
  }

  /** The columns of a table that change. */
  List<Column> of(LiveTable table) {
    return byTable.getOrDefault(table, List.of());
  }

  /** Their names. */
  Set<String> names(LiveTable table) {
    return of(table).stream().map(Column::name).collect(Collectors.toSet());
  }

  /** By the names of those columns, the names of the ones that will take their place. */
  Map<String, String> next(LiveTable table) {
    return of(table).stream()
        .collect(Collectors.toMap(Column::name, column -> ShadowName.next(column.name())));
  }

  /** The foreign keys that one of the columns is part of. */
  List<ForeignKey> foreignKeys() {
    return foreignKeys.stream()
        .filter(
            foreignKey ->
                isPart(foreignKey.referencing(), foreignKey.columns())
                    || isPart(foreignKey.referenced(), foreignKey.referencedColumns()))
        .toList();
  }

  private boolean isPart(Relation relation, List<ForeignKey.End> ends) {
    return ends.stream().anyMatch(end -> places.contains(new Place(relation.oid(), end.number())));
  }

  /** The views that show one of the columns of a table that change. */
  Set<Long> viewsOf(LiveTable table) throws SQLException {
    Set<Long> oids = new LinkedHashSet<>();
    for (Column column : of(table)) {
      schema.dependents(table, column).stream()
          .filter(dependent -> dependent.kind() == LiveSchema.DependentKind.VIEW)
          .forEach(dependent -> oids.add(dependent.oid()));
    }
    return oids;
  }

  Key keyOf(LiveTable table, Column column) {
    return Objects.requireNonNull(keyOf.get(new Member(table, column)));
  }

  Conversion conversionOf(LiveTable table, Column column) {
    return keyOf(table, column).conversion();
  }

  /** What all of them become. */
  String type() {
    return keys.get(0).conversion().type();
  }

  /** How much longer a row gets by each, in bytes. */
  int bytes() {
    return keys.get(0).conversion().bytes();
  }

  /** Whether code that knows the old type goes on through a view of the old shape. */
  boolean keepCompatibilityView() {
    return keys.get(0).conversion().keepsOldShape();
  }

  /** Whether there are new values that the old type cannot hold. */
  boolean outgrow() {
    return keys.get(0).conversion().outgrows();
  }

  /** The keys as messages list them. */
  String shown() {
    return keys.stream().map(key -> key.column().shown()).collect(Collectors.joining(", "));
  }

  /** The columns of a table as messages list them, by other names. */
  String shown(LiveTable table, UnaryOperator<String> name) {
    return of(table).stream()
        .map(column -> table.shown() + "." + name.apply(column.name()))
        .collect(Collectors.joining(", "));
  }

  /** In which schema a table is between switch and contraction. */
  String schemaAfterSwitch(LiveTable table) {
    return keepCompatibilityView() && byTable.containsKey(table)
        ? ShadowName.next(table.schema())
        : table.schema();
  }

  /** Its name then, as a part of a statement. */
  String quotedAfterSwitch(LiveTable table) {
    return table.quotedIn(schemaAfterSwitch(table));
  }

  /** A thing in the schema of a table, such as an index of it, before the switch. */
  static String beside(LiveTable table, String name) {
    return SqlName.quoted(table.schema()) + "." + SqlName.quoted(name);
  }
}
