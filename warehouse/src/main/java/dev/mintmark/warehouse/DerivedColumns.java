package dev.mintmark.warehouse;

import dev.mintmark.Kind;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The columns that a view derives from an identifier: one row for each kind. Nothing else in this
 * module distinguishes kinds.
 *
 * <pre>
 *   COLUMN_text   ulid, uuidv7 and typeid stored as uuid, sequence and tsid as bigint   the text form
 *   COLUMN_uuid   ulid and typeid stored as text                                      the 128 bits
 *   COLUMN_time   ulid, uuidv7, typeid                                                the mint time
 *   COLUMN_puri   every kind                                                          the pURI
 * </pre>
 */
final class DerivedColumns {
  /** The columns of each kind. */
  static final Map<Kind, Row> ROWS =
      Map.ofEntries(
          Map.entry(Kind.ULID, DerivedColumns::ofUlid),
          Map.entry(Kind.UUIDV7, DerivedColumns::ofUuidV7),
          Map.entry(Kind.UUIDV4, id -> List.of(id.puri(id.uuidText()))),
          Map.entry(Kind.SEQUENCE, DerivedColumns::ofSequence),
          Map.entry(Kind.NANOID, id -> List.of(id.puri(id.foldedText()))),
          Map.entry(
              Kind.SNOWFLAKE, id -> List.of(id.puri(id.isText() ? id.column() : id.decimalText()))),
          Map.entry(Kind.TSID, DerivedColumns::ofTsid),
          Map.entry(Kind.KSUID, id -> List.of(id.puri(id.column()))),
          Map.entry(Kind.OBJECTID, id -> List.of(id.puri(id.foldedText()))),
          Map.entry(Kind.XID, id -> List.of(id.puri(id.foldedText()))),
          Map.entry(Kind.TYPEID, DerivedColumns::ofTypeId),
          Map.entry(Kind.TEXT, id -> List.of(id.puri(id.foldedText()))));

  private DerivedColumns() {}

  /** The derived columns of the identifiers of a kind. */
  @FunctionalInterface
  interface Row {
    List<Derived> columns(IdExpressions id);
  }

  /**
   * A derived column.
   *
   * @param suffix follows the name of the column of the identifier
   * @param expression the value
   */
  record Derived(String suffix, String expression) {}

  /** Returns the derived columns of a kind, in the order of the view. */
  static List<Derived> of(Kind kind, IdExpressions id) {
    return Optional.ofNullable(ROWS.get(kind))
        .orElseThrow(() -> new IllegalStateException("no row for kind " + kind.label()))
        .columns(id);
  }

  private static List<Derived> ofUlid(IdExpressions id) {
    String uuid = id.isText() ? id.tried(WarehouseFunction.ULID_UUID, id.column()) : id.column();
    String text = id.tried(WarehouseFunction.ULID_TEXT, uuid);
    return List.of(
        id.isText() ? new Derived("_uuid", uuid) : new Derived("_text", text),
        id.time(uuid),
        id.puri(text));
  }

  private static List<Derived> ofUuidV7(IdExpressions id) {
    Derived time = id.time(id.column());
    Derived puri = id.puri(id.uuidText());
    return id.isText()
        ? List.of(time, puri)
        : List.of(
            new Derived("_text", id.tried(WarehouseFunction.ULID_TEXT, id.column())), time, puri);
  }

  private static List<Derived> ofTypeId(IdExpressions id) {
    if (id.isText()) {
      String uuid = id.tried(WarehouseFunction.TYPEID_UUID, id.column());
      return List.of(
          new Derived("_uuid", uuid), id.time(uuid), id.puri(ofDeclaredPrefix(id, uuid)));
    }
    String text = id.tried(WarehouseFunction.TYPEID_TEXT, id.prefix(), id.column());
    return List.of(new Derived("_text", text), id.time(id.column()), id.puri(text));
  }

  /** The TypeID in a text column; null if its prefix is not the declared one. */
  private static String ofDeclaredPrefix(IdExpressions id, String uuid) {
    String text = id.tried(WarehouseFunction.TYPEID_TEXT, id.prefix(), uuid);
    return "case when " + text + " = " + id.column() + " then " + id.column() + " end";
  }

  private static List<Derived> ofTsid(IdExpressions id) {
    Derived puri = id.puri(id.crockfordText());
    return id.isText() ? List.of(puri) : List.of(new Derived("_text", id.crockfordText()), puri);
  }

  private static List<Derived> ofSequence(IdExpressions id) {
    Derived puri = id.puri(id.numberText());
    return id.isText() || id.isPlain()
        ? List.of(puri)
        : List.of(new Derived("_text", id.numberText()), puri);
  }
}
