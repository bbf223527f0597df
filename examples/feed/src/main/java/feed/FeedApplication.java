package feed;

import dev.mintmark.Catalog;
import dev.mintmark.jackson.PuriModule;
import java.util.List;
import java.util.Objects;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;
import tools.jackson.databind.json.JsonMapper;

/** The feed of a music service. Other services get whole pURIs, browsers compact ones. */
@SpringBootApplication
public class FeedApplication {
  public static void main(String[] arguments) {
    SpringApplication.run(FeedApplication.class, arguments);
  }

  /** Spring Boot adds it to the mapper of the application. */
  @Bean
  PuriModule items(Catalog catalog) {
    return PuriModule.of(catalog, Item.class);
  }

  /** The API of the services. */
  @RestController
  static final class Feed {
    private volatile List<Item> items;

    Feed(JsonMapper mapper) {
      this.items =
          List.of(
              mapper.readValue(
                  Objects.requireNonNull(getClass().getResourceAsStream("/feed.json")),
                  Item[].class));
    }

    @GetMapping("/feed")
    List<Item> items() {
      return items;
    }

    @PutMapping("/feed")
    void replace(@RequestBody List<Item> replacement) {
      items = List.copyOf(replacement);
    }
  }

  /** The backend for browsers: the same list with compact pURIs, which {@code puri.js} reads. */
  @RestController
  static final class Bff {
    private final Feed feed;
    private final JsonMapper compact;

    Bff(Feed feed, JsonMapper mapper, PuriModule items) {
      this.feed = feed;
      this.compact = mapper.rebuild().addModule(items.compact()).build();
    }

    @GetMapping(path = "/bff/feed", produces = MediaType.APPLICATION_JSON_VALUE)
    String items() {
      return compact.writeValueAsString(feed.items());
    }
  }
}
