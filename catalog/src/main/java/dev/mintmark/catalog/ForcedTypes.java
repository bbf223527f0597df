package dev.mintmark.catalog;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.CollectionSpec.Reference;
import dev.mintmark.IdType;
import dev.mintmark.Kind;
import dev.mintmark.Quoted;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The {@code <forcedTypes>} of a catalog for jOOQ's code generator: generated fields have the class
 * of the identifiers of their collection, converted by {@code mintmark-jooq}.
 *
 * <pre>{@code
 * ForcedTypes.of(catalog)
 *     .withClass("payments", "com.acme.PaymentId")
 *     .withReference("payments", Reference.parse("orders.payment_id"))
 *     .xml();
 * }</pre>
 *
 * <p>Has an element for each collection with a table: for its column, and for those that the
 * catalog and {@link #withReference} list as references. Foreign keys are not in a catalog and must
 * be listed. A collection whose identifiers are of a class that jOOQ reads anyway, such as UUID or
 * String, has none. Nor has one in a narrow column, whose generated field is an Integer or a Short.
 *
 * <p>Immutable and thread-safe.
 */
public final class ForcedTypes {
  private static final Pattern CLASS_NAME =
      Pattern.compile("\\p{javaJavaIdentifierStart}[\\p{javaJavaIdentifierPart}.]*");

  private static final String INDENT = "  ";

  private final Catalog catalog;
  private final Map<String, String> classes;
  private final Map<String, List<Reference>> references;

  private ForcedTypes(
      Catalog catalog, Map<String, String> classes, Map<String, List<Reference>> references) {
    this.catalog = catalog;
    this.classes = classes;
    this.references = references;
  }

  /** The forced types of our collections. */
  public static ForcedTypes of(Catalog catalog) {
    return new ForcedTypes(catalog, Map.of(), Map.of());
  }

  /**
   * Has identifiers of a collection converted to a class that {@link dev.mintmark.IdTypes} declares
   * when the generated code runs.
   *
   * @param collection its name or alias
   * @param className the class as a Java source names it, {@code com.acme.PaymentId}
   * @throws IllegalArgumentException if the catalog has no such collection, or if the name is
   *     malformed
   */
  public ForcedTypes withClass(String collection, String className) {
    if (!CLASS_NAME.matcher(className).matches()) {
      throw new IllegalArgumentException("malformed class name " + Quoted.of(className));
    }
    Map<String, String> more = new LinkedHashMap<>(classes);
    more.put(nameOf(collection), className);
    return new ForcedTypes(catalog, more, references);
  }

  /**
   * Adds a column that refers to a collection.
   *
   * @param collection its name or alias
   * @throws IllegalArgumentException if the catalog has no such collection
   */
  public ForcedTypes withReference(String collection, Reference column) {
    Map<String, List<Reference>> more = new LinkedHashMap<>(references);
    List<Reference> columns = new ArrayList<>(more.getOrDefault(nameOf(collection), List.of()));
    columns.add(column);
    more.put(nameOf(collection), columns);
    return new ForcedTypes(catalog, classes, more);
  }

  private String nameOf(String collection) {
    return catalog
        .collection(collection)
        .map(CollectionSpec::name)
        .orElseThrow(
            () ->
                new IllegalArgumentException(
                    "no collection " + Quoted.of(collection) + " in the catalog"));
  }

  /**
   * Returns the element {@code <forcedTypes>}, which stands in {@code <database>} of the
   * generator's configuration. Lines end with {@code \n}.
   */
  public String xml() {
    return catalog.collections().stream()
        .map(this::xml)
        .collect(Collectors.joining("", "<forcedTypes>\n", "</forcedTypes>\n"));
  }

  private String xml(CollectionSpec collection) {
    IdType<?> type = IdType.of(collection);
    String own = classes.get(collection.name());
    List<String> columns = columns(collection);
    boolean isReadAnyway = own == null && type.javaType().getName().startsWith("java.");
    if (columns.isEmpty() || isReadAnyway || collection.narrow()) {
      return "";
    }
    String userType = own == null ? type.javaType().getCanonicalName() : own;
    String arguments = userType + ".class" + (own == null ? ", " + typeOf(collection) : "");
    String converter =
        "dev.mintmark.jooq.IdConverter.%s(%s)".formatted(factory(type.storage()), arguments);
    return List.of(
            "<forcedType>",
            INDENT + "<userType>%s</userType>".formatted(escaped(userType)),
            INDENT + "<converter>%s</converter>".formatted(escaped(converter)),
            INDENT
                + "<includeExpression>%s</includeExpression>"
                    .formatted(escaped(String.join("|", columns))),
            "</forcedType>")
        .stream()
        .map(line -> INDENT + line + "\n")
        .collect(Collectors.joining());
  }

  private static String factory(Kind.Storage storage) {
    return switch (storage) {
      case UUID -> "ofUuid";
      case BIGINT -> "ofBigint";
      case TEXT -> "ofText";
    };
  }

  /** An expression that returns the type of a collection. */
  private static String typeOf(CollectionSpec collection) {
    StringBuilder java =
        new StringBuilder("dev.mintmark.IdType.of(dev.mintmark.CollectionSpec.builder(\"")
            .append(collection.name())
            .append("\", dev.mintmark.Kind.")
            .append(collection.kind().name())
            .append(')');
    collection.prefix().ifPresent(prefix -> java.append(".prefix(\"" + prefix + "\")"));
    if (collection.width() > 0) {
      java.append(".width(").append(collection.width()).append(')');
    }
    return java.append(".storage(dev.mintmark.Kind.Storage.")
        .append(collection.storage().name())
        .append(").build())")
        .toString();
  }

  /** Regular expressions of the columns that hold identifiers of a collection. */
  private List<String> columns(CollectionSpec collection) {
    Stream<Reference> own =
        collection.table().map(table -> new Reference(table, collection.column())).stream();
    return Stream.of(
            own,
            collection.referencedBy().stream(),
            references.getOrDefault(collection.name(), List.of()).stream())
        .flatMap(columns -> columns)
        .map(column -> "(.*\\.)?" + literal(column.toString()))
        .distinct()
        .toList();
  }

  /** Matches a text, also with jOOQ's flag COMMENTS, which skips blanks and what follows a #. */
  private static String literal(String text) {
    return text.replaceAll("[^\\p{L}\\p{N}_]", "\\\\$0");
  }

  private static String escaped(String text) {
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
  }
}
