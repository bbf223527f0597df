package dev.mintmark.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.mintmark.FormatSpec;
import dev.mintmark.Kind;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.schema.CoreSchema;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.ObjectMapper;

/**
 * The schema and the reader accept the same catalogs, except for rules that no schema can state.
 */
final class CatalogSchemaTest {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final SchemaRegistry SCHEMAS =
      SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);
  private static final Schema SCHEMA = SCHEMAS.getSchema(CatalogSchema.text());
  private static final JsonNode TEXT = JSON.readTree(CatalogSchema.text());

  /** Messages of the rules that only the reader checks. */
  private static final List<Pattern> READER_ONLY =
      Stream.of(
              // rules between parts of a catalog
              "is not a collection of the catalog that has a code",
              " is declared twice",
              ": unknown database ",
              ", which the catalog does not declare",
              " come from another one$",
              "pool \".*\" grants single values",
              "pool \".*\" has a lease of ",
              "pool \".*\" has a quarantine of ",
              " is its own source",
              "lies in none of its blocks",
              " is taken, see line ",
              " is taken by ",
              " do not ascend",
              "it has a code, its namespace",
              " is its own column",
              "cannot both hold the identifier and say",
              "the old and the new face have the mask",
              "two faces that are UUIDs",
              // days that there are not
              "expected a day or a time in UTC",
              // rules for the values of pools
              " overlap$",
              " are of different families$",
              "bits of the host are set",
              "expected numbers from 0 to 999999999999999999, the lower one first",
              "expected runs of 2 numbers or more",
              "more than 2\\^64 values",
              "::ffff:0:0/96, which are IPv4",
              "a list has no exclusions",
              "list \"[^\"]*\":? ",
              "expected the name of a file",
              "a client may hold \\d+ values",
              "only an IPv4 value can be embedded",
              "ipv6 prefix .* expected at most /96",
              "is not an IPv4 or IPv6 address",
              "without a lease there is no time to wait for",
              // rules for durations
              "(lease|quarantine|history) is .* expected ",
              "malformed duration \"P",
              // rules for formats
              "a built-in format has this name",
              "malformed pattern ",
              "the fields have \\d+ bits",
              "have a unit: expected one time at most",
              "has a unit: expected an epoch",
              "it has an epoch and no time",
              "ends after the year",
              "until is .* expected a time after",
              "has the value \\d+: expected a number from 0 that fits",
              "expected a whole number in decimal digits, found \"\\d+[.]0\"",
              "unit of \\d+: expected",
              "length is \\d+: expected",
              "which the notation uuid has itself",
              "a Snowflake with \\d+ bits",
              // the length of names in bytes
              "1 to 63 bytes of UTF-8",
              // the YAML notation of numbers, keys and nodes
              "expected a whole number, found \"(0x[0-9]+|[0-9]+[.]0)\"",
              "malformed range \"0[0-9]+\"",
              "duplicate key, see line",
              "not YAML",
              "nested more than")
          .map(Pattern::compile)
          .toList();

  @Test
  void schemaIsOne() {
    assertThat(
            SCHEMAS
                .getSchema(SchemaLocation.of("https://json-schema.org/draft/2020-12/schema"))
                .validate(CatalogSchema.text(), InputFormat.JSON))
        .isEmpty();
  }

  @Test
  void schemaKnowsTheKeysOfTheReader() {
    assertThat(keys("")).hasSameElementsAs(ModelReader.KEYS);
    assertThat(keys("/properties/namespaces/additionalProperties"))
        .hasSameElementsAs(NamespaceReader.KEYS);
    assertThat(keys("/$defs/collection")).hasSameElementsAs(NamespaceReader.COLLECTION_KEYS);
    assertThat(keys("/$defs/collection/properties/face")).hasSameElementsAs(FaceReader.KEYS);
    String faces = "/$defs/collection/properties/faces/prefixItems";
    assertThat(keys(faces + "/0")).hasSameElementsAs(FaceReader.OLD_KEYS);
    assertThat(keys(faces + "/1")).hasSameElementsAs(FaceReader.NEW_KEYS);
    assertThat(keys("/properties/databases/additionalProperties"))
        .hasSameElementsAs(DatabaseReader.KEYS);
    assertThat(keys("/$defs/pool")).hasSameElementsAs(PoolReader.KEYS);
    assertThat(keys("/$defs/pool/properties/ipv6")).hasSameElementsAs(PoolReader.IPV6_KEYS);
    assertThat(keys("/$defs/format")).hasSameElementsAs(FormatReader.KEYS);
    assertThat(keys("/$defs/format/properties/snowflake"))
        .hasSameElementsAs(FormatReader.SNOWFLAKE_KEYS);
    assertThat(keys("/$defs/field")).hasSameElementsAs(FormatReader.FIELD_KEYS);
  }

  @Test
  void schemaKnowsTheKindsAndStoragesThereAre() {
    assertThat(labels("/$defs/collection/properties/kind"))
        .containsExactlyElementsOf(Arrays.stream(Kind.values()).map(Kind::label).toList());
    assertThat(labels("/$defs/collection/properties/storage"))
        .containsExactlyElementsOf(
            Stream.concat(
                    Arrays.stream(Kind.Storage.values()).map(Kind.Storage::label),
                    Stream.of("integer"))
                .toList());
    assertThat(labels("/$defs/format/properties/notation"))
        .containsExactlyElementsOf(
            Arrays.stream(FormatSpec.DigitNotation.values())
                .map(FormatSpec.DigitNotation::label)
                .toList());
    assertThat(labels("/$defs/field/properties/type"))
        .containsExactlyElementsOf(
            Arrays.stream(FormatSpec.Type.values()).map(FormatSpec.Type::label).toList());
  }

  @Test
  void everyKindWithAPrefixHasARow() {
    assertThat(KindConditions.PREFIXES)
        .containsOnlyKeys(
            Arrays.stream(Kind.values()).filter(kind -> kind.has(Kind.Option.PREFIX)).toList());
  }

  @Test
  void everyKeyIsDescribed() {
    for (String place :
        List.of(
            "",
            "/properties/namespaces/additionalProperties",
            "/$defs/collection",
            "/$defs/collection/properties/face",
            "/$defs/collection/properties/faces/prefixItems/0",
            "/$defs/collection/properties/faces/prefixItems/1",
            "/$defs/pool",
            "/$defs/pool/properties/ipv6",
            "/$defs/format",
            "/$defs/format/properties/snowflake",
            "/$defs/field")) {
      JsonNode properties = TEXT.at(place + "/properties");
      for (String key : properties.propertyNames()) {
        assertThat(properties.path(key).path("description").asString(""))
            .as("%s of %s", key, place)
            .isNotEmpty();
      }
    }
  }

  @Test
  void schemaAcceptsTheCatalogOfTheDocuments() throws IOException {
    assertThat(refusals(tree(CatalogReaderTest.resource("mintmark.yaml")))).isEmpty();
  }

  static Stream<CatalogReaderTest.Malformed> malformed() throws IOException {
    return CatalogReaderTest.malformed();
  }

  @ParameterizedTest
  @MethodSource
  void malformed(CatalogReaderTest.Malformed catalog) {
    Object tree;
    try {
      tree = tree(catalog.yaml());
    } catch (YamlEngineException e) {
      return; // not YAML: an editor never validates it against the schema
    }

    if (refusals(tree).isEmpty()) {
      assertThat(READER_ONLY)
          .as("the schema accepts what the reader rejects: %s", catalog.message())
          .anyMatch(rule -> rule.matcher(catalog.message()).find());
    }
  }

  @ParameterizedTest
  @CsvSource({
    "2027-06-30, true",
    "2027-06-30T12:00:00Z, true",
    "0000-01-01T00:00:00.123456789Z, true",
    "9999-12-31T23:59:59Z, true",
    "2027-06-30T12:00Z, false",
    "2027-06-30T12:00:00, false",
    "2027-06-30T12:00:00+02:00, false",
    "2027-06-30T12:00:00z, false",
    "2027-06-30t12:00:00Z, false",
    "+300000000-01-01T00:00:00Z, false",
    "-0001-01-01T00:00:00Z, false"
  })
  void schemaAndReaderAgreeOnTimes(String time, boolean isOne) {
    String yaml =
        "namespace: shop\nformats: { a: { snowflake: { epoch: \"%s\" } } }\n".formatted(time);

    assertThat(refusals(tree(yaml)).isEmpty()).isEqualTo(isOne);
    assertThat(refusal(yaml).isEmpty()).isEqualTo(isOne);
    assertThat(refusal(yaml).orElse("expected a day or a time in UTC"))
        .contains("expected a day or a time in UTC");
  }

  @Tag("slow")
  @Test
  void schemaAndReaderAgreeOnCatalogsAtRandom() {
    Map<String, Integer> verdicts = new TreeMap<>();
    for (long seed = 0; seed < 1000; seed++) {
      Random random = new Random(seed);
      Object tree = tree(new CatalogWriter().write(new RandomCatalogs(seed).next()));
      int faults = random.nextInt(3);
      for (int i = 0; i < faults; i++) {
        tree = new Faults(random).plant(tree);
      }
      String json = JSON.writeValueAsString(tree);
      Optional<String> refusal = refusal(json);
      List<String> refusals = refusals(tree);

      assertThat(refusals.isEmpty() || refusal.isPresent())
          .as("seed %d: the schema rejects what the reader accepts: %s%n%s", seed, refusals, json)
          .isTrue();
      assertThat(
              !refusals.isEmpty()
                  || refusal.isEmpty()
                  || READER_ONLY.stream().anyMatch(rule -> rule.matcher(refusal.get()).find()))
          .as("seed %d: only the reader rejects: %s%n%s", seed, refusal, json)
          .isTrue();
      verdicts.merge(
          refusal.isEmpty() ? "accepted" : refusals.isEmpty() ? "by the reader" : "by both",
          1,
          Integer::sum);
    }
    assertThat(verdicts.get("accepted")).as("%s", verdicts).isGreaterThan(200);
    assertThat(verdicts.get("by both")).as("%s", verdicts).isGreaterThan(200);
    assertThat(verdicts.get("by the reader")).as("%s", verdicts).isGreaterThan(1);
  }

  /** Plants a fault in a tree: changes one of its values, keys or items. */
  private static final class Faults {
    private static final List<@Nullable Object> VALUES =
        Arrays.asList(
            null,
            true,
            0,
            7,
            -1,
            19,
            1001,
            1.5,
            "",
            " ",
            "x",
            "ulid",
            "server",
            "ascending",
            "now",
            "created",
            "text",
            "integer",
            "no",
            "30s",
            "none",
            "0..7",
            "10.0.0.1",
            "a.b",
            "a.b.c",
            "a.b.c.d",
            "A b",
            "\u0007",
            "\u00e9".repeat(40),
            "a".repeat(64),
            "a".repeat(300),
            "PT1S",
            "PX",
            "45.67.81.0/22",
            "::1",
            ":::",
            "256.0.0.0",
            "1..0",
            "1..9 by 3",
            "sensitive",
            List.of(),
            List.of("x"),
            List.of("a.b"),
            List.of(List.of()),
            List.of(7),
            List.of("x", "x"),
            Map.of(),
            Map.of("x", "x"),
            Map.of("kind", "uuidv4"),
            Map.of("text", "SO-[0-9]{6}"),
            Map.of("snowflake", Map.of("epoch", "2020-05-01")),
            Map.of("name", "x", "bits", 7),
            Map.of("mask", "m", "key-label", "k"),
            Map.of("mask", "m", "key-label", "k", "shape", "short"),
            Map.of("key-label", "k", "shape", "uuid"));

    private static final List<String> KEYS =
        Stream.of(
                ModelReader.KEYS,
                NamespaceReader.COLLECTION_KEYS,
                FaceReader.KEYS,
                PoolReader.KEYS,
                FormatReader.KEYS,
                FormatReader.FIELD_KEYS,
                List.of("embed", "X", "x", "tabel", "a.b", ""))
            .flatMap(List::stream)
            .toList();

    private final Random random;

    Faults(Random random) {
      this.random = random;
    }

    /** Descends along a random path and changes the value, the keys or the items at its end. */
    @Nullable Object plant(@Nullable Object tree) {
      if (tree instanceof Map<?, ?> map && random.nextInt(8) > 0) {
        return inMap(map);
      }
      if (tree instanceof List<?> list && !list.isEmpty() && random.nextInt(4) > 0) {
        List<@Nullable Object> changed = new ArrayList<>(list);
        int place = random.nextInt(list.size());
        changed.set(place, plant(list.get(place)));
        return changed;
      }
      return VALUES.get(random.nextInt(VALUES.size()));
    }

    private Map<String, @Nullable Object> inMap(Map<?, ?> map) {
      Map<String, @Nullable Object> changed = new LinkedHashMap<>();
      map.forEach((key, value) -> changed.put((String) key, value));
      List<String> keys = List.copyOf(changed.keySet());
      int choice = random.nextInt(10);
      if (keys.isEmpty() || choice == 0) {
        changed.put(KEYS.get(random.nextInt(KEYS.size())), plant(null));
        return changed;
      }
      String key = keys.get(random.nextInt(keys.size()));
      Object value = changed.get(key);
      if (choice == 1) {
        changed.remove(key);
      } else if (choice == 2) {
        changed.remove(key);
        changed.put(KEYS.get(random.nextInt(KEYS.size())), value);
      } else {
        changed.put(key, plant(value));
      }
      return changed;
    }
  }

  private static List<String> keys(String place) {
    return List.copyOf(TEXT.at(place + "/properties").propertyNames());
  }

  private static List<String> labels(String place) {
    return TEXT.at(place + "/enum").valueStream().map(JsonNode::asString).toList();
  }

  /** Returns the value that an editor validates. */
  private static Object tree(String yaml) {
    LoadSettings settings = LoadSettings.builder().setSchema(new CoreSchema()).build();
    return new Load(settings).loadFromString(yaml);
  }

  private static List<String> refusals(@Nullable Object tree) {
    return SCHEMA.validate(JSON.<JsonNode>valueToTree(tree)).stream()
        .map(Object::toString)
        .toList();
  }

  private static Optional<String> refusal(String yaml) {
    try {
      CatalogReader.read("mintmark.yaml", yaml);
      return Optional.empty();
    } catch (CatalogException e) {
      return Optional.of(String.valueOf(e.getMessage()));
    }
  }
}
