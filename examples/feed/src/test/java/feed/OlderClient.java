package feed;

import dev.mintmark.Catalog;
import dev.mintmark.InCollection;
import dev.mintmark.Puri;
import dev.mintmark.jackson.PuriModule;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.json.JsonMapper;

/** A service that was built before there were playlists. It turns the feed around. */
final class OlderClient {
  /** What it knew then. */
  sealed interface Item {
    record Track(@InCollection("tracks") Puri uri, String title, int duration) implements Item {}

    record User(@InCollection("users") Puri uri, String name) implements Item {}

    record Unknown(Puri uri, String json) implements Item {}
  }

  private final HttpClient client = HttpClient.newHttpClient();
  private final JsonMapper mapper;
  private final URI feed;

  OlderClient(Catalog catalog, URI feed) {
    this.mapper = JsonMapper.builder().addModule(PuriModule.of(catalog, Item.class)).build();
    this.feed = feed;
  }

  List<Item> items() throws IOException, InterruptedException {
    String json = client.send(HttpRequest.newBuilder(feed).build(), BodyHandlers.ofString()).body();
    return mapper.readValue(json, new TypeReference<>() {});
  }

  void reverse() throws IOException, InterruptedException {
    List<Item> items = new ArrayList<>(items());
    Collections.reverse(items);
    client.send(
        HttpRequest.newBuilder(feed)
            .header("content-type", "application/json")
            .PUT(BodyPublishers.ofString(mapper.writeValueAsString(items)))
            .build(),
        BodyHandlers.discarding());
  }
}
