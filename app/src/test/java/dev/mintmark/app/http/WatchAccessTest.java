package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.access.KeyText;
import dev.mintmark.app.http.WatchedEvents.Event;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Who may watch a pool, and for how long, with keys and sessions on a real PostgreSQL. */
@Tag("long")
class WatchAccessTest {
  private static AccessServer server;
  private static WatchedEvents beforeAccounts;
  private static KeyText admin;

  @BeforeAll
  static void start() throws InterruptedException {
    server = AccessServer.start();
    server.post(null, "/v1/pools", "{\"name\": \"gates\", \"blocks\": [\"1..10\"]}");
    beforeAccounts = WatchedEvents.of(server.port(), "gates");
    beforeAccounts.nextHeld(0);
    admin = server.key("admin");
  }

  @AfterAll
  static void stop() {
    server.close();
  }

  @Test
  void theFirstKeyEndsTheStreamsOfThoseWithoutOne() throws Exception {
    beforeAccounts.awaitEnd();

    server.get(null, "/v1/pools/gates/watch").assertProblem(401, "key-required");
  }

  @Test
  void aKeyNeedsTheScopeOfThePool() throws Exception {
    KeyText other = server.key("pools:read:other");
    KeyText reader = server.key("pools:read:gates");

    server.get(other, "/v1/pools/gates/watch").assertProblem(403, "insufficient-scope");
    try (WatchedEvents events = watch(reader)) {
      events.next("pool");
    }
  }

  @Test
  void aKeyThatIsRevokedEndsItsStreamsAlone() throws Exception {
    KeyText revoked = server.key("pools:read");
    WatchedEvents ended = watch(revoked);
    try (WatchedEvents other = watch(admin)) {
      ended.next("pool");
      other.next("pool");

      server.send(admin, "DELETE", "/v1/keys/" + revoked.id(), null).assertStatus(200);

      ended.awaitEnd();
      claim("of-revoked");
      other.next("pool");
    }
  }

  @Test
  void aKeyThatExpiresEndsItsStreams() throws Exception {
    KeyText expiring =
        server.key(Optional.empty(), Optional.of(Instant.now().plusSeconds(600)), "pools:read");
    WatchedEvents events = watch(expiring);

    events.next("pool");

    server.expire(expiring);

    events.awaitEnd();
  }

  @Test
  void signingOutEndsTheStreamsOfTheSession() throws Exception {
    String cookie =
        server
            .post(null, "/v1/session", "{\"key\": \"" + admin.text() + "\"}")
            .assertStatus(200)
            .header("Set-Cookie")
            .replaceAll(";.*", "");
    WatchedEvents events =
        WatchedEvents.of(server.port(), "gates", "Cookie", cookie, "Sec-Fetch-Site", "same-origin");
    events.next("pool");

    server
        .send(
            null, "DELETE", "/v1/session", null, "Cookie", cookie, "Sec-Fetch-Site", "same-origin")
        .assertStatus(204);

    events.awaitEnd();
  }

  @Test
  void aKeyWithAnOwnerSeesWhatGetShows() throws Exception {
    KeyText owned = server.key(Optional.of("acme"), Optional.empty(), "pools:read");

    try (WatchedEvents events = watch(owned)) {
      Event first = events.next("pool");

      assertThat(first.json().get("name").asString()).isEqualTo("gates");
      assertThat(first.json().propertyNames())
          .containsExactlyElementsOf(server.get(owned, "/v1/pools/gates").json().propertyNames());
    }
  }

  @Test
  void aKeyHasAMostOfWatches() throws Exception {
    KeyText key = server.key("pools:read");
    List<WatchedEvents> all = new ArrayList<>();
    for (int i = 0; i < PoolWatches.WATCHES_OF_KEY_MAX; i++) {
      all.add(watch(key));
    }

    assertThat(
            server
                .get(key, "/v1/pools/gates/watch")
                .assertProblem(429, "too-many-watches")
                .header("Retry-After"))
        .isEqualTo("10");
    try (WatchedEvents other = watch(server.key("pools:read"))) {
      other.next("pool");
    }
    all.forEach(WatchedEvents::close);
  }

  private static void claim(String client) {
    server
        .post(admin, "/v1/pools/gates/claims", "{\"client\": \"" + client + "\"}")
        .assertStatus(201);
  }

  private static WatchedEvents watch(KeyText key) {
    return WatchedEvents.of(server.port(), "gates", "Authorization", "Bearer " + key.text());
  }
}
