package dev.mintmark.catalog;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.CollectionSpec.Reference;
import dev.mintmark.ColumnValue;
import dev.mintmark.Kind;
import dev.mintmark.NamespaceSpec;
import dev.mintmark.Puris;
import dev.mintmark.ReferenceSpec;
import dev.mintmark.ReferenceTypes;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The SQL for references to rows of any collection: the table {@code mintmark.reference_type} with
 * a code for each type of a catalog, functions between a pURI and the columns of a reference, and
 * the columns themselves.
 *
 * <p>The script can be run any number of times, and is run again when the catalog has changed. It
 * requires the SQL pack. Collections with codes that are stored as {@code uuid} or {@code bigint}
 * get a code in the database; references to rows of others hold the whole pURI.
 *
 * <p>Immutable and thread-safe.
 */
public final class ReferenceScript {
  private static final String NO_TYPE = "      ('', '', '', array[''], '', '', 0)\n";
  private static final UUID UUID_SAMPLE = Uuids.parse("017f22e2-79b0-7cc3-98c4-dc0c0c07398f");

  /** As a number without a sign it has 20 digits. */
  private static final long NUMBER_SAMPLE = -1;

  private final Catalog catalog;
  private final Puris puris;
  private final List<ReferenceSpec> columns;

  private ReferenceScript(Catalog catalog, List<ReferenceSpec> columns) {
    this.catalog = catalog;
    this.puris = Puris.of(catalog);
    this.columns = List.copyOf(columns);
  }

  /** Returns the script of a catalog, of all its namespaces, with its references. */
  public static ReferenceScript of(Catalog catalog) {
    return new ReferenceScript(catalog, catalog.references());
  }

  /**
   * Adds the columns of a reference to rows of any collection to a table.
   *
   * @param reference the table and the beginning of the names of its columns: {@code
   *     comments.subject} for {@code subject_type}, {@code subject_uuid}, {@code subject_number}
   *     and {@code subject_text}
   */
  public ReferenceScript withColumns(Reference reference) {
    List<ReferenceSpec> more = new ArrayList<>(columns);
    more.add(new ReferenceSpec(reference, List.of()));
    return new ReferenceScript(catalog, more);
  }

  /** Returns the script. Lines end with {@code \n}. */
  public String sql() {
    String types =
        catalog.namespaces().stream()
            .flatMap(
                namespace ->
                    namespace.collections().stream()
                        .flatMap(collection -> row(namespace, collection).stream()))
            .collect(Collectors.joining());
    return source().replace(NO_TYPE, types + NO_TYPE)
        + columns.stream().map(this::columnsOf).collect(Collectors.joining());
  }

  private Optional<String> row(NamespaceSpec namespace, CollectionSpec collection) {
    return ReferenceTypes.codes(namespace, collection)
        .map(
            codes ->
                "      ('%s', '%s', '%s', array[%s], '%s', '%s', %s),\n"
                    .formatted(
                        codes,
                        namespace.name(),
                        collection.name(),
                        names(namespace, collection),
                        form(namespace, collection),
                        prefix(collection),
                        collection.width()));
  }

  /** The names of the catalog need no escape in SQL: they have no quote and no backslash. */
  private static String names(NamespaceSpec namespace, CollectionSpec collection) {
    return Stream.concat(Stream.of(collection.name()), collection.aliases().stream())
        .map(name -> "'" + (namespace.name() + ":" + name).toLowerCase(Locale.ROOT) + "'")
        .collect(Collectors.joining(", "));
  }

  private static String prefix(CollectionSpec collection) {
    return collection.prefix().orElse("");
  }

  /** How the functions of the script write an identifier. */
  private String form(NamespaceSpec namespace, CollectionSpec collection) {
    if (collection.storage() == Kind.Storage.UUID) {
      String text = written(namespace, collection, new ColumnValue.Uuid(UUID_SAMPLE));
      if (text.equals(UUID_SAMPLE.toString())) {
        return "uuid";
      }
      return text.equals(Ulid.of(UUID_SAMPLE).toString()) ? "ulid" : "typeid";
    }
    try {
      String text = written(namespace, collection, new ColumnValue.Bigint(NUMBER_SAMPLE));
      return text.equals(Long.toUnsignedString(NUMBER_SAMPLE)) ? "snowflake" : "tsid";
    } catch (IllegalArgumentException e) {
      return "number"; // A sequence has no negative numbers.
    }
  }

  private String written(NamespaceSpec namespace, CollectionSpec collection, ColumnValue value) {
    return puris.fromStored(namespace.name(), collection.name(), value).identifier();
  }

  private String columnsOf(ReferenceSpec spec) {
    return columnsOf(spec.column()) + (spec.types().isEmpty() ? "" : allowed(spec));
  }

  /** The codes are those of the database, so the constraint is made when the script runs. */
  private String allowed(ReferenceSpec spec) {
    String table = table(spec.column());
    String constraint = quoted(spec.column().column() + "_allowed");
    String statement =
        "alter table %s add constraint %s check (%s = any (%%L::smallint[]) and %s is null) not valid"
            .formatted(
                format(table),
                format(constraint),
                format(quoted(spec.column().column() + "_type")),
                format(quoted(spec.column().column() + "_text")));
    return """
        alter table %s drop constraint if exists %s;
        do $allowed$
        begin
          execute pg_catalog.format(
            '%s',
            array(
              select t.code
              from mintmark.reference_type t
              where t.codes = any (array[%s])
              order by t.code));
        end
        $allowed$;
        """
        .formatted(
            table,
            constraint,
            statement.replace("'", "''"),
            spec.codes(catalog.namespaces()).stream()
                .map(code -> "'" + code + "'")
                .collect(Collectors.joining(", ")));
  }

  /** Escapes a name for a format of PostgreSQL. */
  private static String format(String name) {
    return name.replace("%", "%%");
  }

  private static String columnsOf(Reference reference) {
    String table = table(reference);
    String name = reference.column();
    String four =
        Stream.of("_type", "_uuid", "_number", "_text")
            .map(end -> quoted(name + end))
            .collect(Collectors.joining(", "));
    return """

        -- The columns of %1$s. Existing rows are not rewritten or read.
        alter table %2$s
          add column if not exists %3$s smallint,
          add column if not exists %4$s uuid,
          add column if not exists %5$s bigint,
          add column if not exists %6$s text;
        alter table %2$s drop constraint if exists %7$s;
        alter table %2$s add constraint %7$s check (mintmark.reference_fits(%8$s)) not valid;
        -- Afterwards, each outside of a transaction, if you search rows by what they refer to:
        --   alter table %2$s validate constraint %7$s;
        --   create index concurrently on %2$s (%3$s, %4$s) where %4$s is not null;
        --   create index concurrently on %2$s (%3$s, %5$s) where %5$s is not null;
        --   create index concurrently on %2$s (%6$s) where %6$s is not null;
        """
        .formatted(
            reference,
            table,
            quoted(name + "_type"),
            quoted(name + "_uuid"),
            quoted(name + "_number"),
            quoted(name + "_text"),
            quoted(name + "_fits"),
            four);
  }

  private static String table(Reference reference) {
    return Stream.of(reference.table().split("\\.", -1))
        .map(ReferenceScript::quoted)
        .collect(Collectors.joining("."));
  }

  private static String quoted(String name) {
    return '"' + name.replace("\"", "\"\"") + '"';
  }

  private static String source() {
    try (InputStream source =
        Objects.requireNonNull(ReferenceScript.class.getResourceAsStream("references.sql"))) {
      return new String(source.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
