package dev.mintmark.operations.migrate;

import dev.mintmark.operations.internal.schema.Column;
import dev.mintmark.operations.internal.schema.ForeignKey;
import dev.mintmark.operations.migrate.LiveSchema.Place;
import java.sql.SQLException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The columns that hold one key: that of a collection, the ones that refer to it by foreign keys or
 * as declared, those that refer to these, and what any of them refers to. They can only change
 * their type together. In the order in which they were found.
 */
final class KeyGroup {
  /** One of the columns. */
  record Member(LiveTable table, Column column) {
    String shown() {
      return table.shown() + "." + column.name();
    }

    Place place() {
      return new Place(table.oid(), column.number());
    }
  }

  private final Map<Place, Member> members = new LinkedHashMap<>();
  private final Set<ForeignKey> foreignKeys = new LinkedHashSet<>();

  private KeyGroup() {}

  /** The group of some columns that hold the same. */
  static KeyGroup of(LiveSchema schema, List<Member> start) throws SQLException {
    KeyGroup group = new KeyGroup();
    Deque<Member> open = new ArrayDeque<>();
    for (Member member : start) {
      group.add(member, open);
    }
    while (!open.isEmpty()) {
      Member member = open.remove();
      for (ForeignKey key : schema.foreignKeysOf(member.place())) {
        group.follow(schema, key, member, open);
      }
    }
    return group;
  }

  private void follow(LiveSchema schema, ForeignKey key, Member member, Deque<Member> open)
      throws SQLException {
    for (int i = 0; i < key.columns().size(); i++) {
      Place from = new Place(key.referencing().oid(), key.columns().get(i).number());
      Place to = new Place(key.referenced().oid(), key.referencedColumns().get(i).number());
      Place here = member.place();
      if (here.equals(from) || here.equals(to)) {
        foreignKeys.add(key);
        add(member(schema, from), open);
        add(member(schema, to), open);
      }
    }
  }

  private void add(Member member, Deque<Member> open) {
    if (members.putIfAbsent(member.place(), member) == null) {
      open.add(member);
    }
  }

  private static Member member(LiveSchema schema, Place place) throws SQLException {
    LiveTable table = schema.table(place.table());
    return new Member(table, table.column(place.column()));
  }

  List<Member> members() {
    return List.copyOf(members.values());
  }

  /**
   * Those that a conversion changes; the others are of its type already, or of a domain over it.
   */
  List<Member> changing(Conversion conversion) {
    return members.values().stream()
        .filter(member -> !member.column().base().sql().equals(conversion.type()))
        .toList();
  }

  boolean contains(Member member) {
    return members.containsKey(member.place());
  }

  /** The foreign keys between the columns. */
  List<ForeignKey> foreignKeys() {
    return List.copyOf(foreignKeys);
  }

  /** A foreign key by which a column refers to another one of the group. */
  record Reference(ForeignKey key, Member to) {}

  /** Returns the foreign keys by which a column refers to other columns of the group. */
  List<Reference> referencesOf(Member member) {
    List<Reference> references = new ArrayList<>();
    for (ForeignKey key : foreignKeys) {
      for (int i = 0; i < key.columns().size(); i++) {
        if (key.referencing().oid() == member.table().oid()
            && key.columns().get(i).number() == member.column().number()) {
          Member to =
              members.get(
                  new Place(key.referenced().oid(), key.referencedColumns().get(i).number()));
          if (to != null) {
            references.add(new Reference(key, to));
          }
        }
      }
    }
    return references;
  }
}
