package dev.mintmark.warehouse;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.Quoted;
import dev.mintmark.warehouse.DerivedColumns.Derived;
import java.util.stream.Collectors;
import java.util.stream.IntStream;

/** Expressions over the identifier of a row, in the SQL of one engine. Immutable. */
final class IdExpressions {
  private final CollectionSpec collection;
  private final String namespace;
  private final String schema;
  private final Dialect dialect;
  private final String column;

  /**
   * @param schema the schema of the functions
   * @param table the alias of the table
   */
  IdExpressions(
      CollectionSpec collection, String namespace, String schema, String table, Dialect dialect) {
    this.collection = collection;
    this.namespace = namespace;
    this.schema = schema;
    this.dialect = dialect;
    this.column = table + "." + dialect.quoted(collection.column());
  }

  /** The column of the identifier. */
  String column() {
    return column;
  }

  /** Whether the column holds text. */
  boolean isText() {
    return collection.storage() == Kind.Storage.TEXT;
  }

  /** Whether the text of a number consists only of its digits, without prefix or padding. */
  boolean isPlain() {
    return collection.prefix().isEmpty() && collection.width() == 0;
  }

  /** The declared prefix as a literal. */
  String prefix() {
    return literal(collection.prefix().orElse(""));
  }

  /** The time of 128 bits that begin with milliseconds. */
  Derived time(String uuid) {
    return new Derived("_time", tried(WarehouseFunction.ULID_TIME, uuid));
  }

  /** The pURI of the canonical text of an identifier. */
  Derived puri(String text) {
    return new Derived(
        "_puri",
        tried(WarehouseFunction.PURI, literal(namespace), literal(collection.name()), text));
  }

  /** The UUID as PostgreSQL writes it; null if the column holds no UUID. */
  String uuidText() {
    if (!isText() && !dialect.hasUuidsOfBytes()) {
      return "lower(" + dialect.asText(column) + ")";
    }
    String ulid = tried(WarehouseFunction.ULID_TEXT, column);
    return dialect.asText(tried(WarehouseFunction.ULID_UUID, ulid));
  }

  /** The decimal digits of a number, negative ones too. */
  String decimalText() {
    return dialect.asText(column);
  }

  /**
   * The text form of a number. {@code prefixed} has no {@code try_} variant and fails for a
   * negative number, so a negative number becomes null first.
   */
  String numberText() {
    if (isText()) {
      return shown(tried(WarehouseFunction.UNPREFIXED, prefix(), column));
    }
    return "case when " + column + " >= 0 then " + shown(column) + " end";
  }

  private String shown(String number) {
    String width = Integer.toString(collection.width());
    return isPlain()
        ? dialect.asText(number)
        : call(WarehouseFunction.PREFIXED.label(), prefix(), number, width);
  }

  /**
   * The 64 bits of a number, negative ones too, as 13 digits of Crockford's base 32; null if the
   * number is. A text is only changed to upper case.
   */
  String crockfordText() {
    if (isText()) {
      return "translate("
          + column
          + ", 'abcdefghijklmnopqrstuvwxyz', 'ABCDEFGHIJKLMNOPQRSTUVWXYZ')";
    }
    return IntStream.iterate(60, shift -> shift >= 0, shift -> shift - 5)
        .mapToObj(shift -> dialect.bits(column, shift, shift == 60 ? 15 : 31))
        .map(digit -> "substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + " + digit + ", 1)")
        .collect(Collectors.joining(" || "));
  }

  /**
   * The text as pURIs are compared: with ASCII letters in lower case, unless letter case
   * distinguishes identifiers. The {@code lower} of the engines folds other letters too.
   */
  String foldedText() {
    return collection.caseSensitive()
        ? column
        : "translate(" + column + ", 'ABCDEFGHIJKLMNOPQRSTUVWXYZ', 'abcdefghijklmnopqrstuvwxyz')";
  }

  /** A call that returns null instead of an error. */
  String tried(WarehouseFunction function, String... arguments) {
    return call(function.tryName(), arguments);
  }

  private String call(String function, String... arguments) {
    return dialect.function(schema, function) + "(" + String.join(", ", arguments) + ")";
  }

  /** A name of the catalog as a string literal. No such name needs an escape in any engine. */
  private static String literal(String name) {
    if (!name.matches("[A-Za-z0-9_-]*")) {
      throw new IllegalStateException("no name of a catalog: " + Quoted.of(name));
    }
    return "'" + name + "'";
  }
}
