package dev.mintmark.jackson;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.mintmark.InCollection;
import dev.mintmark.MalformedIdException;
import dev.mintmark.Puri;
import dev.mintmark.Snowflake;
import dev.mintmark.Ulid;
import dev.mintmark.jackson.Feed.Item;
import dev.mintmark.jackson.Feed.Page;
import dev.mintmark.jackson.Feed.Playlist;
import dev.mintmark.jackson.Feed.Track;
import dev.mintmark.jackson.Feed.Unknown;
import dev.mintmark.jackson.Feed.User;
import dev.mintmark.jackson.Feed.UserId;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.core.json.JsonReadFeature;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DatabindException;
import tools.jackson.databind.json.JsonMapper;

/** Objects whose pURI says what they are. */
class PuriModuleTest {
  private static final PuriModule MODULE = PuriModule.of(Feed.CATALOG, Item.class);
  private static final JsonMapper MAPPER = JsonMapper.builder().addModule(MODULE).build();
  private static final TypeReference<List<Item>> ITEMS = new TypeReference<>() {};
  private static final String ULID = "01FZG96YPZK4SANAG1ZM5T2K9Z";

  private static final Track TRACK =
      new Track(Puri.parse("soundcloud:tracks:1541815603606036480"), "Big B", 1281);
  private static final String TRACK_JSON =
      "{\"uri\":\"soundcloud:tracks:1541815603606036480\",\"title\":\"Big B\",\"millis\":1281}";
  private static final User USER = new User(new UserId(Ulid.parse(ULID)), "Phil");
  private static final String USER_JSON =
      "{\"uri\":\"soundcloud:users:" + ULID + "\",\"name\":\"Phil\"}";
  private static final String UNKNOWN_JSON =
      "{\"b\":-0,\"a\":[1.50,1E400,{\"uri\":7}],\"uri\":\"Acme:Widgets:A%2db\",\"n\":null,\"b\":0.10}";

  @Test
  void recordIsThatOfThePuri() throws Exception {
    Playlist playlist = new Playlist(Puri.parse("spotify:playlists:p"), USER.uri(), TRACK);
    Page page =
        new Page(
            USER,
            List.of(TRACK, playlist),
            Map.of("m", new Unknown(Puri.parse("Acme:Widgets:A-b"), UNKNOWN_JSON)),
            Snowflake.parse("7"));
    String json =
        """
        {"pinned":%s,"items":[%s,{"uri":"spotify:playlists:p",\
        "owner":"soundcloud:users:%s","first":%s}],"byName":{"m":%s},"next":"soundcloud:tracks:7"}"""
            .formatted(USER_JSON, TRACK_JSON, ULID, TRACK_JSON, UNKNOWN_JSON);

    assertThat(MAPPER.writeValueAsString(page)).isEqualTo(json);
    assertThat(MAPPER.readValue(json, Page.class)).isEqualTo(page);
    assertThat(MAPPER.readValue("[" + USER_JSON + ",null]", Item[].class))
        .containsExactly(USER, null);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "{\"title\":\"Big B\",\"uri\":\"soundcloud:tracks:1541815603606036480\",\"millis\":1281}",
        "{\"title\":\"Big B\",\"millis\":1281,\"uri\":\"SoundCloud:Songs:1541815603606036480\"}",
        " { \"millis\" : 1281 , \"title\" : \"Big \\u0042\", \"uri\" : \"sc.t.1541815603606036480\" } "
      })
  void puriMayBeAnywhereCompactAndUnderAnAlias(String json) throws Exception {
    assertThat(MAPPER.readValue(json, Item.class)).isEqualTo(TRACK);
    assertThat(MAPPER.readValue(json, Track.class)).isEqualTo(TRACK);
    assertThat(MAPPER.treeToValue(MAPPER.readTree(json), Item.class)).isEqualTo(TRACK);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        UNKNOWN_JSON,
        "{\"uri\":\"soundcloud:comments:C7\",\"text\":\"in the catalog, not in the interface\"}",
        "{\"deep\":[[[{\"x\":{}}]],[],0.10000000000000000000000000000000000000001],\"uri\":\"a:b:c\"}",
        "{\"uri\":\"a:b:c\",\"uri\":\"soundcloud:tracks:1\"}"
      })
  void unknownTypeKeepsTheObjectAndIsWrittenUnchanged(String json) throws Exception {
    Item item = MAPPER.readValue(json, Item.class);

    assertThat(item).isInstanceOf(Unknown.class).extracting("json").isEqualTo(json);
    assertThat(MAPPER.writeValueAsString(item)).isEqualTo(json);
    assertThat(MAPPER.writeValueAsString(List.of(item, TRACK)))
        .isEqualTo("[" + json + "," + TRACK_JSON + "]");
    assertThat(MAPPER.readValue(json, Unknown.class)).isEqualTo(item);
  }

  @Test
  void whiteSpaceAndEscapesAreNotKept() throws Exception {
    String json = "{ \"uri\" : \"a:b:c\",\n \"text\" : \"\\u0041 \\/ \\n \\\" \u00e9\" }";

    Item item = MAPPER.readValue(json, Item.class);

    assertThat(item)
        .isEqualTo(
            new Unknown(
                Puri.parse("a:b:c"), "{\"uri\":\"a:b:c\",\"text\":\"A / \\n \\\" \u00e9\"}"));
    assertThat(MAPPER.readTree(MAPPER.writeValueAsString(item))).isEqualTo(MAPPER.readTree(json));
  }

  @Test
  void numbersThatAreNoneAreKeptIfTheMapperReadsThem() throws Exception {
    JsonMapper lenient = MAPPER.rebuild().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();
    String json = "{\"gain\":NaN,\"uri\":\"a:b:c\",\"range\":[-Infinity]}";

    Item item = lenient.readValue(json, Item.class);

    assertThat(item).isEqualTo(new Unknown(Puri.parse("a:b:c"), json));
    assertThat(lenient.writeValueAsString(item)).isEqualTo(json);
  }

  /** As a mapper of another format, or of a document with sorted properties, uses a tree. */
  @Test
  void unknownTypeBecomesATree() throws Exception {
    String json = "{\"uri\":\"a:b:c\",\"n\":12,\"x\":1.5,\"list\":[true]}";

    Item item = MAPPER.readValue(json, Item.class);

    assertThat(MAPPER.valueToTree(item).toString()).isEqualTo(json);
    assertThat(MAPPER.treeToValue(MAPPER.valueToTree(item), Item.class)).isEqualTo(item);
  }

  @Test
  void malformedPuriIsRejectedWithItsPlace() {
    assertRejected(
        "[" + USER_JSON + ",{\"uri\":\"tracks:1\"}]",
        "#/1/uri",
        "malformed pURI \"tracks:1\": it has 2 segments");
    assertRejected(
        "[{\"title\":\"x\",\"uri\":7}]",
        "#/0/uri",
        "malformed pURI: expected a JSON string, found a number");
    assertRejected(
        "[{\"uri\":null}]", "#/0/uri", "malformed pURI: expected a JSON string, found null");
    assertRejected(
        "[{\"uri\":[1]}]", "#/0/uri", "malformed pURI: expected a JSON string, found an array");
    assertRejected(
        "[{\"uri\":\"sc.x.7\"}]", "#/0/uri", "the catalog has no collection of the codes");
    assertRejected(
        "[{\"title\":\"x\"}]", "#/0", "malformed pURI: the object has no property \"uri\"");
    assertRejected("[{}]", "#/0", "malformed pURI: the object has no property \"uri\"");
    assertRejected(
        "[\"soundcloud:tracks:1\"]",
        "#/0",
        "malformed pURI: expected an object with the property \"uri\"");
    assertRejected("[{\"uri\":\"soundcloud:tracks:x\"}]", "#/0/uri", "malformed Snowflake \"x\"");
    assertRejected(
        "[{\"uri\":\"spotify:playlists:p\",\"owner\":\"soundcloud:tracks:1\"}]",
        "#/0/owner",
        "it is one of \"soundcloud:tracks\": expected one of \"soundcloud:users\"");
    assertRejected(
        "[{\"uri\":\"spotify:playlists:p\",\"first\":{\"uri\":\"x\"}}]",
        "#/0/first/uri",
        "malformed pURI \"x\"");
    assertRejected(
        "[{\"uri\":\"soundcloud:users:" + ULID + "\",\"uri\":\"soundcloud:tracks:1\"}]",
        "#/0/uri",
        "expected one of \"soundcloud:users\"");
  }

  private static void assertRejected(String json, String pointer, String reason) {
    assertThatThrownBy(() -> MAPPER.readValue(json, ITEMS))
        .isInstanceOf(DatabindException.class)
        .hasMessageContaining(reason)
        .hasCauseInstanceOf(MalformedIdException.class)
        .satisfies(e -> assertThat(JsonPointers.of((DatabindException) e)).isEqualTo(pointer));
  }

  @Test
  void errorInARecordHasItsPlace() {
    assertThatThrownBy(
            () ->
                MAPPER.readValue(
                    "[" + USER_JSON + "," + TRACK_JSON.replace("1281", "[]") + "]", ITEMS))
        .satisfies(e -> assertThat(JsonPointers.of((DatabindException) e)).isEqualTo("#/1/millis"));
  }

  @Test
  void puriOfAnotherCollectionIsNotWritten() {
    Track track = new Track(Puri.parse("soundcloud:users:" + ULID), "", 0);

    assertThatThrownBy(() -> MAPPER.writeValueAsString(List.of(track)))
        .hasMessageContaining("expected one of \"soundcloud:tracks\"")
        .satisfies(e -> assertThat(JsonPointers.of((DatabindException) e)).isEqualTo("#/0/uri"));
  }

  @Test
  void textThatIsNoObjectIsNotWritten() {
    for (String json : List.of("7", "", "[]", "{", "{} {}", "{\"a\":1} 7")) {
      assertThatThrownBy(() -> MAPPER.writeValueAsString(new Unknown(Puri.parse("a:b:c"), json)))
          .as(json)
          .isInstanceOf(Exception.class);
    }
  }

  @Test
  void edgeWritesCompactPurisAndBothReadThem() throws Exception {
    JsonMapper edge = JsonMapper.builder().addModule(MODULE.compact()).build();
    String json = "{\"uri\":\"sc.t.1541815603606036480\",\"title\":\"Big B\",\"millis\":1281}";

    assertThat(edge.writeValueAsString(TRACK)).isEqualTo(json);
    assertThat(edge.writeValueAsString(USER)).contains("\"uri\":\"sc.u.AX_gk3rfmTKqqgH9C6FNPw\"");
    assertThat(edge.writeValueAsString(edge.readValue(UNKNOWN_JSON, Item.class)))
        .isEqualTo(UNKNOWN_JSON);
    for (JsonMapper mapper : List.of(MAPPER, edge)) {
      assertThat(mapper.readValue(json, Item.class)).isEqualTo(TRACK);
      assertThat(mapper.readValue(TRACK_JSON, Item.class)).isEqualTo(TRACK);
    }
  }

  sealed interface Twice {
    record A(@InCollection("tracks") Puri id) implements Twice {}

    record B(@InCollection("soundcloud:songs") Puri id) implements Twice {}

    record Rest(Puri id, String json) implements Twice {}
  }

  sealed interface TwoNames {
    record A(@InCollection("tracks") Puri id) implements TwoNames {}

    record B(@InCollection("users") @JsonProperty("uri") Puri id) implements TwoNames {}

    record Rest(Puri id, String json) implements TwoNames {}
  }

  sealed interface NoRest {
    record A(@InCollection("tracks") Puri id) implements NoRest {}
  }

  sealed interface Undeclared {
    record A(@InCollection("albums") Puri id) implements Undeclared {}

    record Rest(Puri id, String json) implements Undeclared {}
  }

  sealed interface Unannotated {
    record A(Puri id, int title) implements Unannotated {}
  }

  sealed interface NoRecord {
    non-sealed class A implements NoRecord {}
  }

  sealed interface WrongClass {
    record A(@InCollection("users") UserIdOfLong id) implements WrongClass {}
  }

  record UserIdOfLong(long value) {}

  @Test
  void interfaceThatCannotBeToldApartFailsAtConstruction() {
    assertUnfit(Twice.class, "have the collection \"soundcloud:tracks\": expected one record");
    assertUnfit(TwoNames.class, "its pURIs are the properties {id=");
    assertUnfit(NoRest.class, "it has 0 records without @InCollection: expected one");
    assertUnfit(Undeclared.class, "the catalog has no collection \"soundcloud:albums\"");
    assertUnfit(Unannotated.class, "has no component with @InCollection: expected one, or a Puri");
    assertUnfit(NoRecord.class, "is not a record");
    assertUnfit(WrongClass.class, "expected UUID, Ulid or String for collection \"users\"");
    assertUnfit(Comparable.class, "expected a sealed interface");
  }

  private static void assertUnfit(Class<?> type, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> PuriModule.of(Feed.CATALOG, type))
        .withMessageContaining(why);
  }

  sealed interface Compact {
    record A(@InCollection("tracks") Puri uri) implements Compact {}

    record Rest(String json) implements Compact {}
  }

  /** A service with a newer catalog has written them. */
  @Test
  void unknownCodesAreKeptByARecordWithoutThePuri() throws Exception {
    JsonMapper mapper =
        JsonMapper.builder()
            .addModule(PuriModule.of(Feed.CATALOG, Compact.class).compact())
            .build();
    String json = "[{\"n\":1.0,\"uri\":\"sc.new.7\"},{\"uri\":\"sc.t.1\"},{\"uri\":\"a:b:c\"}]";

    List<Compact> read = mapper.readValue(json, new TypeReference<>() {});

    assertThat(read)
        .containsExactly(
            new Compact.Rest("{\"n\":1.0,\"uri\":\"sc.new.7\"}"),
            new Compact.A(Puri.parse("soundcloud:tracks:1")),
            new Compact.Rest("{\"uri\":\"a:b:c\"}"));
    assertThat(mapper.writeValueAsString(read)).isEqualTo(json);
    for (String malformed : List.of("\"sc.t.x\"", "\"sc.new.\"", "\"sc.new.%\"", "7", "null")) {
      assertThatThrownBy(() -> mapper.readValue("{\"uri\":" + malformed + "}", Compact.class))
          .as(malformed)
          .hasCauseInstanceOf(MalformedIdException.class)
          .satisfies(e -> assertThat(JsonPointers.of((DatabindException) e)).isEqualTo("#/uri"));
    }
  }

  sealed interface Renamed {
    record A(@InCollection("tracks") @JsonProperty("@id") Puri id) implements Renamed {}

    /** In the other order. */
    record Rest(String json, Puri id) implements Renamed {}
  }

  @Test
  void propertyHasTheNameThatItsAnnotationGives() throws Exception {
    JsonMapper mapper =
        JsonMapper.builder().addModule(PuriModule.of(Feed.CATALOG, Renamed.class)).build();

    for (Renamed object :
        List.of(
            new Renamed.A(Puri.parse("soundcloud:tracks:1")),
            new Renamed.Rest("{\"@id\":\"a:b:c\"}", Puri.parse("a:b:c")))) {
      String json = mapper.writeValueAsString(object);
      assertThat(json).startsWith("{\"@id\":\"");
      assertThat(mapper.readValue(json, Renamed.class)).isEqualTo(object);
    }
  }
}
