package dev.mintmark.jackson2;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.mintmark.Puri;
import dev.mintmark.Snowflake;
import dev.mintmark.Ulid;
import dev.mintmark.jackson2.Feed.Item;
import dev.mintmark.jackson2.Feed.Playlist;
import dev.mintmark.jackson2.Feed.Track;
import dev.mintmark.jackson2.Feed.Unknown;
import dev.mintmark.jackson2.Feed.User;
import dev.mintmark.jackson2.Feed.UserId;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Random lists come back as they were written. */
class MixedListsTest {
  private static final int LISTS = 500;
  private static final List<String> NUMBERS =
      List.of(
          "0",
          "-0",
          "7",
          "1.50",
          "1E400",
          "-1e-7",
          "9007199254740993",
          "0.1",
          "123456789012345678901234567890");
  private static final List<String> TEXTS =
      List.of("", "a", "\u00e9\u20ac", "\ud83d\ude00", " \\n\\\"\\\\ ", "uri");

  private static final JsonMapper MAPPER =
      JsonMapper.builder().addModule(PuriModule.of(Feed.CATALOG, Item.class)).build();

  private final Random random = new Random();

  /** In both directions: objects to text, and text of older or newer programs to objects. */
  @Test
  @Tag("slow")
  void randomListsSurviveARoundTrip() throws Exception {
    for (int i = 0; i < LISTS; i++) {
      long seed = new Random().nextLong();
      random.setSeed(seed);
      List<Item> items = IntStream.range(0, random.nextInt(6)).mapToObj(n -> item(3)).toList();

      String json = MAPPER.writeValueAsString(items);
      List<Item> read = MAPPER.readValue(json, new TypeReference<>() {});

      assertThat(read).as("seed %d", seed).isEqualTo(items);
      assertThat(MAPPER.writeValueAsString(read)).as("seed %d", seed).isEqualTo(json);
      for (Item item : items) {
        if (item instanceof Unknown unknown) {
          assertThat(json).as("seed %d", seed).contains(unknown.json());
        }
      }
    }
  }

  private Item item(int depth) {
    return switch (random.nextInt(depth > 0 ? 4 : 3)) {
      case 0 ->
          new Track(
              Puri.of("soundcloud", "tracks", Snowflake.of(random.nextLong()).toString()),
              TEXTS.get(random.nextInt(TEXTS.size())),
              random.nextInt());
      case 1 -> new User(userId(), "Phil");
      case 2 -> unknown();
      default -> new Playlist(Puri.parse("spotify:playlists:p"), userId(), item(depth - 1));
    };
  }

  private UserId userId() {
    return new UserId(Ulid.of(random.nextLong(), random.nextLong()));
  }

  private Unknown unknown() {
    Puri puri =
        Puri.of(oneOf("Acme", "soundcloud"), oneOf("Widgets", "comments"), oneOf("7", "a:b"));
    List<String> properties = new ArrayList<>(several(() -> name() + ":" + json(3)));
    properties.add(random.nextInt(properties.size() + 1), "\"uri\":\"" + puri + "\"");
    return new Unknown(puri, "{" + String.join(",", properties) + "}");
  }

  private String json(int depth) {
    return switch (random.nextInt(depth > 0 ? 5 : 3)) {
      case 0 -> NUMBERS.get(random.nextInt(NUMBERS.size()));
      case 1 -> oneOf("true", "null");
      case 2 -> text();
      case 3 -> several(() -> json(depth - 1)).stream().collect(Collectors.joining(",", "[", "]"));
      default ->
          several(() -> oneOf("\"uri\"", name()) + ":" + json(depth - 1)).stream()
              .collect(Collectors.joining(",", "{", "}"));
    };
  }

  private String text() {
    return "\"" + TEXTS.get(random.nextInt(TEXTS.size())) + "\"";
  }

  /** Not that of the pURI. */
  private String name() {
    String name = text();
    return name.equals("\"uri\"") ? "\"URI\"" : name;
  }

  private String oneOf(String one, String other) {
    return random.nextBoolean() ? one : other;
  }

  private List<String> several(Supplier<String> each) {
    return Stream.generate(each).limit(random.nextInt(4)).toList();
  }
}
