package dev.mintmark.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.NamespaceSpec;
import dev.mintmark.Puri;
import dev.mintmark.Puris;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The schemas of pURIs, on the vectors of all surfaces. */
class OpenApiComponentsTest {
  private static final Path VECTORS = Path.of("..", "vectors");
  private static final JsonNode SCHEMAS =
      schemas(CatalogReader.read(VECTORS.resolve("puris-catalog.json")));

  private static JsonNode schemas(Catalog catalog) {
    return JsonMapper.shared()
        .readTree(OpenApiComponents.of(catalog).json())
        .at("/components/schemas");
  }

  private static List<JsonNode> vectors(String file) {
    return JsonMapper.shared().readTree(VECTORS.resolve(file)).valueStream().toList();
  }

  /**
   * As ECMA-262 does, where a dollar is the end of the text, and not also before a last line end.
   */
  private static boolean matches(JsonNode schema, String text) {
    return text.length() <= schema.path("maxLength").intValue()
        && Pattern.compile(schema.path("pattern").stringValue().replaceFirst("\\$$", "\\\\z"))
            .matcher(text)
            .find();
  }

  @Test
  void puriMatchesEveryVectorAndNoMalformedOne() {
    JsonNode puri = SCHEMAS.path("Puri");
    List<String> texts =
        Stream.concat(
                Stream.concat(
                        vectors("puris.json").stream(), vectors("puris-declared.json").stream())
                    .map(vector -> vector.path("input").stringValue()),
                vectors("puris-declared.json").stream()
                    .flatMap(
                        vector ->
                            Stream.concat(
                                Stream.of(vector.path("compact"), vector.path("resolved")),
                                vector.path("equal").valueStream()))
                    .map(JsonNode::stringValue))
            .toList();

    assertThat(texts).hasSizeGreaterThan(100).allMatch(text -> matches(puri, text));
    assertThat(vectors("puris-malformed.json"))
        .hasSizeGreaterThan(20)
        // A pattern does not count the escapes that are necessary.
        .filteredOn(vector -> !vector.path("name").stringValue().contains("necessary escapes"))
        .noneMatch(vector -> matches(puri, vector.path("input").stringValue()));
  }

  @Test
  void schemaOfACollectionMatchesWhatIsWrittenAndNoOther() {
    int matched = 0;
    for (JsonNode vector : vectors("puris-declared.json")) {
      String type = "\"pURI of %s\"".formatted(type(vector));
      for (JsonNode schema : SCHEMAS.values()) {
        String resolved = vector.path("resolved").stringValue();
        if (schema.path("description").toString().equals(type)) {
          // A pattern does not check the range of numbers.
          boolean isIdentifier =
              !vector.path("stored").isNull() || resolved.endsWith("9223372036854775808");
          assertThat(matches(schema, resolved)).as(resolved).isEqualTo(isIdentifier);
          assertThat(matches(schema, vector.path("compact").stringValue()))
              .as(resolved)
              .isEqualTo(isIdentifier);
          matched++;
        } else if (!schema.path("description").stringValue().equals("pURI of any type")) {
          assertThat(matches(schema, resolved)).as(resolved).isFalse();
        }
      }
    }
    assertThat(matched).isGreaterThan(12);
  }

  private static String type(JsonNode vector) {
    return vector.path("namespace").stringValue() + ":" + vector.path("collection").stringValue();
  }

  @Test
  void namesAreThoseOfClassesAndUnique() {
    assertThat(SCHEMAS.propertyNames())
        .contains("Puri", "MeatsPuri", "ArchivedTracksPuri", "TracksPuri", "SoundcloudTracksPuri")
        .contains("AcmeComUserProfilesPuri")
        .allMatch(name -> name.matches("[A-Z][A-Za-z0-9]*"));

    Catalog alike =
        new Catalog(
            new NamespaceSpec(
                "a",
                Optional.empty(),
                List.of(
                    CollectionSpec.builder("x-y", Kind.ULID).build(),
                    CollectionSpec.builder("x--y", Kind.ULID).build())),
            List.of(),
            List.of());
    assertThat(schemas(alike).propertyNames()).containsExactly("Puri", "XYPuri", "XYPuri2");
  }

  @Test
  @Tag("slow")
  void examplesOfRandomCatalogsMatch() {
    for (int i = 0; i < 200; i++) {
      long seed = new Random().nextLong();
      assertExamplesMatch("seed " + seed, new RandomCatalogs(seed).next());
    }
  }

  @Test
  void examplesOfEveryKindMatch() {
    List<CollectionSpec> collections =
        Stream.of(Kind.values())
            .map(
                kind ->
                    CollectionSpec.builder("of-" + kind.label(), kind)
                        .code(kind.label().replace("snowflake", "flake")) // At most 8 characters.
                        .build())
            .toList();
    Catalog catalog =
        new Catalog(new NamespaceSpec("shop", Optional.of("s"), collections), List.of(), List.of());
    JsonNode tsids = schemas(catalog).path("OfTsidPuri");

    assertExamplesMatch("every kind", catalog);
    assertThat(matches(tsids, "s.tsid.01226N0640J7Q")).isTrue();
    assertThat(matches(tsids, "s.tsid.38358284406638839")).isFalse();
  }

  /** Also in the compact form, if there is one. */
  private static void assertExamplesMatch(String what, Catalog catalog) {
    Puris puris = Puris.of(catalog);
    for (JsonNode schema : schemas(catalog)) {
      String example = schema.path("example").stringValue();
      for (String text : List.of(example, puris.toCompact(Puri.parse(example)))) {
        assertThat(matches(schema, text)).as("%s: %s: %s", what, text, schema).isTrue();
      }
    }
  }
}
