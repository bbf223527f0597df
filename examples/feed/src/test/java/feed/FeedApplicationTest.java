package feed;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Catalog;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.catalog.PuriScript;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.boot.SpringApplication;
import org.springframework.context.ConfigurableApplicationContext;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

@Tag("slow")
class FeedApplicationTest {
  private static final Path RESOURCES = Path.of("src/main/resources");
  private static final Catalog CATALOG = CatalogReader.read(RESOURCES.resolve("mintmark.yaml"));

  private static final ConfigurableApplicationContext APPLICATION =
      SpringApplication.run(
          FeedApplication.class,
          "--server.port=0",
          "--spring.main.banner-mode=off",
          "--logging.level.root=warn");

  private final HttpClient client = HttpClient.newHttpClient();

  @AfterAll
  static void close() {
    APPLICATION.close();
  }

  @Test
  void olderClientKeepsPlaylistsAndGivesThemBack() throws Exception {
    OlderClient older = new OlderClient(CATALOG, uri("/feed"));
    List<JsonNode> before = json(get("/feed"));

    assertThat(older.items())
        .filteredOn(OlderClient.Item.Unknown.class::isInstance)
        .extracting("uri")
        .map(Object::toString)
        .containsExactlyInAnyOrder("soundcloud:playlists:7", "soundcloud:comments:12");
    older.reverse();

    List<JsonNode> after = json(get("/feed"));
    Collections.reverse(before);
    assertThat(after).hasSize(4).isEqualTo(before);
    assertThat(get("/feed").body()).contains("\"at\":0.50");
  }

  @Test
  void browsersGetCompactPuris() throws Exception {
    assertThat(json(get("/bff/feed")))
        .map(item -> item.path("uri").stringValue())
        .containsExactlyInAnyOrder(
            "sc.t.1541815603606036480",
            "sc.u.AX8i4nmwfMOYxNwMDAc5jw",
            "sc.p.7",
            "soundcloud:comments:12");
    assertThat(get("/").body()).contains("readPuri");
    assertThat(get("/puri.js").body()).isEqualTo(PuriScript.of(CATALOG).text());
  }

  @Test
  void malformedPuriIsAnsweredWithItsPlace() throws Exception {
    HttpResponse<String> response =
        client.send(
            HttpRequest.newBuilder(uri("/feed"))
                .header("content-type", "application/json")
                .PUT(BodyPublishers.ofString("[{\"uri\":\"tracks:1\"}]"))
                .build(),
            BodyHandlers.ofString());

    assertThat(response.statusCode()).as(response.body()).isEqualTo(400);
    assertThat(JsonMapper.shared().readTree(response.body()).path("pointer").asString())
        .isEqualTo("#/0/uri");
  }

  /**
   * Written with {@code -Dmintmark.write=true}, as {@code mintmark catalog javascript} prints it.
   */
  @Test
  void scriptIsThatOfTheCatalog() throws IOException {
    Path file = RESOURCES.resolve("static/puri.js");
    String script = PuriScript.of(CATALOG).text();
    if (Boolean.getBoolean("mintmark.write")) {
      Files.writeString(file, script);
    }

    assertThat(file).hasContent(script);
  }

  private HttpResponse<String> get(String path) throws IOException, InterruptedException {
    return client.send(HttpRequest.newBuilder(uri(path)).build(), BodyHandlers.ofString());
  }

  private static URI uri(String path) {
    String port = APPLICATION.getEnvironment().getRequiredProperty("local.server.port");
    return URI.create("http://127.0.0.1:" + port + path);
  }

  private static List<JsonNode> json(HttpResponse<String> response) {
    return new ArrayList<>(JsonMapper.shared().readTree(response.body()).valueStream().toList());
  }
}
