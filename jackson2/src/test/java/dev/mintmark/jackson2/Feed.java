package dev.mintmark.jackson2;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.InCollection;
import dev.mintmark.Kind;
import dev.mintmark.NamespaceSpec;
import dev.mintmark.Puri;
import dev.mintmark.Snowflake;
import dev.mintmark.Ulid;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The mixed lists of the tests. */
final class Feed {
  static final Catalog CATALOG =
      new Catalog(
          new NamespaceSpec(
              "soundcloud",
              Optional.of("sc"),
              List.of(
                  CollectionSpec.builder("tracks", Kind.SNOWFLAKE)
                      .code("t")
                      .aliases(List.of("songs"))
                      .build(),
                  CollectionSpec.builder("users", Kind.ULID).code("u").build(),
                  CollectionSpec.builder("comments", Kind.SEQUENCE).prefix("C").width(1).build())),
          List.of(
              new NamespaceSpec(
                  "spotify",
                  Optional.empty(),
                  List.of(CollectionSpec.builder("playlists", Kind.TEXT).build()))),
          List.of());

  private Feed() {}

  sealed interface Item permits Sound, User, Unknown {}

  sealed interface Sound extends Item permits Track, Playlist {}

  record Track(@InCollection("tracks") Puri uri, String title, int millis) implements Sound {}

  record Playlist(
      @InCollection("spotify:playlists") Puri uri, @InCollection("users") UserId owner, Item first)
      implements Sound {}

  record User(@InCollection("users") UserId uri, String name) implements Item {}

  record Unknown(Puri uri, String json) implements Item {}

  record UserId(Ulid value) {}

  record Page(
      Item pinned,
      List<Item> items,
      Map<String, Item> byName,
      @InCollection("soundcloud:songs") Snowflake next) {}
}
