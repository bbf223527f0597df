package dev.mintmark.postgres.search;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.CollectionSpec.Face;
import dev.mintmark.CollectionSpec.Face.Shape;
import dev.mintmark.ColumnValue;
import dev.mintmark.IdType;
import dev.mintmark.Keyring;
import dev.mintmark.Kind;
import dev.mintmark.Mask;
import dev.mintmark.Mint;
import dev.mintmark.MintOptions;
import dev.mintmark.MintSettings;
import dev.mintmark.NamespaceSpec;
import dev.mintmark.Puri;
import dev.mintmark.Puris;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.search.RowAnswer.Found;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.UUID;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Every identifier that is inserted is found by each of its texts: all kinds, storages and faces.
 */
@Tag("slow")
class RowFinderKindsTest {
  private static final int IDS = 3;
  private static final Keyring KEYRING =
      Keyring.of('a', "0123456789abcdef0123456789ABCDEF".getBytes(StandardCharsets.US_ASCII));

  private final long seed = System.nanoTime();
  private final Random random = new Random(seed);
  private final TestDatabase database = TestServer.NEWEST.createDatabase();
  private final List<CollectionSpec> collections = collections();
  private final Puris puris;
  private final RowFinder finder;

  RowFinderKindsTest() {
    Catalog catalog =
        new Catalog(new NamespaceSpec("n", Optional.of("n"), collections), List.of(), List.of());
    puris = Puris.of(catalog);
    finder =
        RowFinder.of(catalog)
            .withFaces(KEYRING)
            .withTimeouts(Duration.ofMinutes(1), Duration.ofMinutes(10));
  }

  /** Each kind in each storage, and with a face of each shape that it has. */
  private static List<CollectionSpec> collections() {
    List<CollectionSpec> collections = new ArrayList<>();
    for (Kind kind : Kind.values()) {
      collections.add(collection(kind, "text").storage(Kind.Storage.TEXT).build());
      if (kind.storage() != Kind.Storage.TEXT) {
        collections.add(collection(kind, "plain").build());
      }
      for (Shape shape : Shape.values()) {
        if (shape.fits(kind)) {
          String name = kind.label() + "-" + shape.label();
          String mask = shape == Shape.UUID ? "" : kind.label() + "_" + shape.label();
          collections.add(
              collection(kind, shape.label()).face(new Face(mask, name, shape)).build());
        }
      }
    }
    return collections;
  }

  private static CollectionSpec.Builder collection(Kind kind, String suffix) {
    String name = kind.label() + "-" + suffix;
    CollectionSpec.Builder collection =
        CollectionSpec.builder(name, kind)
            .table(name)
            .code(kind.label().substring(0, Math.min(6, kind.label().length())) + suffix.charAt(0));
    if (kind.has(Kind.Option.PREFIX)) {
      collection.prefix(kind == Kind.TYPEID ? "t" + suffix : "P" + suffix.charAt(0) + "_");
    }
    return collection;
  }

  @Test
  @Tag("long")
  void everyIdentifierIsFoundByEachOfItsTexts() throws SQLException {
    Map<CollectionSpec, List<ColumnValue>> inserted = new LinkedHashMap<>();
    for (CollectionSpec collection : collections) {
      inserted.put(collection, insert(collection));
    }

    int texts = 0;
    for (Map.Entry<CollectionSpec, List<ColumnValue>> entry : inserted.entrySet()) {
      for (ColumnValue value : entry.getValue()) {
        for (String text : texts(entry.getKey(), value)) {
          assertThat(foundAs(entry.getKey(), text))
              .as("seed %d: %s in %s", seed, text, entry.getKey().name())
              .contains(value.toString());
          texts++;
        }
      }
    }
    assertThat(inserted).hasSizeGreaterThan(25);
    assertThat(texts).isGreaterThan(inserted.size() * IDS * 3);
  }

  private List<String> foundAs(CollectionSpec collection, String text) throws SQLException {
    return finder
        .find(database.dataSource(), text, Map.of(collection.name(), new RowColumns.Key()))
        .stream()
        .filter(Found.class::isInstance)
        .flatMap(answer -> ((Found) answer).rows().stream())
        .map(row -> row.get(0).text().orElseThrow())
        .toList();
  }

  private List<ColumnValue> insert(CollectionSpec collection) throws SQLException {
    String table = "\"" + collection.name() + "\"";
    database.execute(
        "create table %s (id %s primary key)".formatted(table, collection.storageLabel()));
    List<ColumnValue> values = minted(IdType.of(collection));
    try (Connection connection = database.dataSource().getConnection();
        PreparedStatement statement =
            connection.prepareStatement("insert into " + table + " values (?)")) {
      for (ColumnValue value : values) {
        statement.setObject(1, value.toObject());
        statement.executeUpdate();
      }
    }
    return values;
  }

  private <T> List<ColumnValue> minted(IdType<T> type) {
    Supplier<T> source = source(type);
    return Stream.generate(source).limit(IDS).map(type::toStored).toList();
  }

  /** One mint for a table: two of the same node may mint the same number in one millisecond. */
  private <T> Supplier<T> source(IdType<T> type) {
    if (!type.kind().isMinted()) {
      return () -> type.parseLoosely(type.textPrefix() + random.nextLong(Long.MAX_VALUE));
    }
    MintSettings settings =
        type.kind().has(Kind.Option.NODE)
            ? MintSettings.NONE.withNode(random.nextInt(1024))
            : MintSettings.NONE;
    return Mint.of(type, settings, MintOptions.DEFAULT.withEntropy(random))::mint;
  }

  private Set<String> texts(CollectionSpec collection, ColumnValue value) {
    IdType<?> type = IdType.of(collection);
    Puri puri = puris.fromStored(collection.name(), value);
    String text = puri.identifier();
    Set<String> texts = new LinkedHashSet<>(List.of(text, puri.toString(), puris.toCompact(puri)));
    texts.add("  '" + text + "' ");
    if (!collection.caseSensitive()) {
      texts.add(text.toLowerCase(Locale.ROOT));
      texts.add(text.toUpperCase(Locale.ROOT));
    }
    if (type.kind().storage() == Kind.Storage.UUID) {
      UUID uuid = uuid(text, type.textPrefix());
      texts.addAll(
          List.of(
              uuid.toString(),
              uuid.toString().replace("-", ""),
              "{" + uuid + "}",
              Ulid.of(uuid).toString()));
    }
    if (type.kind() == Kind.SEQUENCE) {
      texts.add(text.substring(type.textPrefix().length()));
    }
    collection.face().ifPresent(face -> texts.add(show(type, face, value)));
    return texts;
  }

  private static UUID uuid(String text, String prefix) {
    return !prefix.isEmpty()
        ? TypeId.parse(text).uuid()
        : Ulid.tryParse(text).map(Ulid::toUuid).orElseGet(() -> Uuids.parse(text));
  }

  private static <T> String show(IdType<T> type, Face face, ColumnValue value) {
    return Mask.of(type, KEYRING, face).show(type.fromStored(value));
  }
}
