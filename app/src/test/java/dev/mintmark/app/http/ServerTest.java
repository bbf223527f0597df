package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Block;
import dev.mintmark.Catalog;
import dev.mintmark.PoolSpec;
import dev.mintmark.Snowflake;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.database.OwnDatabases;
import dev.mintmark.app.service.MintedKind;
import dev.mintmark.app.view.Json;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.fixtures.HttpContract;
import dev.mintmark.postgres.pool.Pools;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLDecoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.tomcat.TomcatEmbeddedWebappClassLoader;
import tools.jackson.databind.JsonNode;

/** The HTTP contract, over HTTP, on a real PostgreSQL. */
@Tag("slow")
class ServerTest {
  private static final Catalog CATALOG =
      CatalogReader.read(
          "mintmark.yaml",
          """
          namespace: bobsburgers
          code: b
          collections:
            tracks: { kind: ulid }
            payments: { kind: sequence, prefix: PM, code: p }
          formats:
            shop-order: { text: "SO-[0-9a-z]{12}" }
            acme-flake: { snowflake: { epoch: 2020-05-01, node-bits: 10, sequence-bits: 12 } }
          """);

  private static final HttpClient CLIENT = HttpClient.newHttpClient();
  private static final HttpContract CONTRACT = HttpContract.of(ContractTest.document());

  private static Database database;
  private static Pools pools;
  private static Server server;

  @BeforeAll
  static void start() {
    database = OwnDatabases.open();
    pools = Pools.over(database.connectionPool("test", 8));
    server = Server.start(ServerOptions.onLoopback(0), Served.of(CATALOG, pools));
  }

  @AfterAll
  static void stop() {
    server.close();
    database.close();
  }

  private record Answer(int status, HttpResponse<String> response) {
    JsonNode json() {
      return Json.MAPPER.readTree(response.body());
    }

    String header(String name) {
      return response.headers().firstValue(name).orElse("");
    }

    String code() {
      String code = json().get("code").asString();
      assertThat(json().get("type").asString()).isEqualTo("urn:mintmark:problem:" + code);
      return code;
    }

    String detail() {
      assertThat(header("Content-Type")).startsWith("application/problem+json");
      return json().get("detail").asString();
    }
  }

  @Test
  void listsValuesToPickFrom() {
    post("/v1/pools", "{\"name\": \"picked\", \"blocks\": [\"10.9.0.0/29\"]}");
    post("/v1/pools/picked/claims", "{\"client\": \"a\", \"value\": \"10.9.0.2\"}");

    Answer first = get("/v1/pools/picked/free?limit=2");
    Answer second = get("/v1/pools/picked/free?after=10.9.0.3");

    assertThat(first.response.body())
        .isEqualTo("{\"values\":[\"10.9.0.1\",\"10.9.0.3\"],\"next\":\"10.9.0.3\"}");
    assertThat(second.json().get("values").get(0).asString()).isEqualTo("10.9.0.4");
    assertThat(second.json().get("next").isNull()).isTrue();
    assertThat(get("/v1/pools/picked/free?after=10.8.0.1").code()).isEqualTo("invalid-request");
  }

  @Test
  void changesSettingsAfterAPlan() {
    post("/v1/pools", "{\"name\": \"tuned\", \"range\": \"1..9\", \"per_owner\": 3}");
    String change =
        "{\"lease\": \"1h\", \"per_owner\": 0, \"history\": \"1d\", \"thresholds\": [50]}";

    JsonNode plan = post("/v1/pools/tuned/change-plan", change).json();
    assertThat(get("/v1/pools/tuned").json().get("lease").isNull()).isTrue();
    Answer changed = patch("/v1/pools/tuned", change);

    assertThat(changed.json()).isEqualTo(plan);
    assertThat(plan.get("deletes_history").asBoolean()).isTrue();
    assertThat(plan.get("changes").toString())
        .contains("\"setting\":\"per_owner\",\"before\":\"3\",\"after\":\"none\"")
        .contains("\"setting\":\"lease\",\"before\":\"none\",\"after\":\"1h\"")
        .contains("\"setting\":\"after_failover\",\"before\":\"stop\",\"after\":\"quarantine\"");
    JsonNode pool = get("/v1/pools/tuned").json();
    assertThat(pool.get("lease").asString()).isEqualTo("1h");
    assertThat(pool.get("per_owner").isNull()).isTrue();
    assertThat(pool.get("thresholds").toString()).isEqualTo("[50]");
    assertThat(patch("/v1/pools/tuned", change).json().get("changes")).isEmpty();
    assertThat(patch("/v1/pools/tuned", "{}").code()).isEqualTo("invalid-request");
    assertThat(patch("/v1/pools/tuned", "{\"per_client\": 0}").code()).isEqualTo("invalid-request");
    assertThat(patch("/v1/pools/tuned", "{\"blocks\": [\"1..2\"]}").code())
        .isEqualTo("unknown-key");
    assertThat(patch("/v1/pools/nowhere", change).status).isEqualTo(404);
  }

  @Test
  @Tag("long")
  void tellsHowFullAPoolWas() {
    post("/v1/pools", "{\"name\": \"followed\", \"range\": \"1..8\"}");
    post("/v1/pools/followed/claims", "{\"client\": \"a\"}");
    String path = "/v1/pools/followed/usage?samples=10&from=" + Instant.now().minusSeconds(300);
    while (get(path).json().get("samples").isEmpty()) {
      LockSupport.parkNanos(200_000_000);
    }

    JsonNode sample = get(path).json().get("samples").get(0);

    assertThat(sample.get("capacity").asInt()).isEqualTo(8);
    assertThat(sample.get("held").asInt()).isBetween(0, 1);
    assertThat(get("/v1/pools/followed/usage").json().get("step").asString()).isEqualTo("5m");
    assertThat(get("/v1/pools/followed/usage?samples=0").code()).isEqualTo("invalid-request");
    assertThat(get("/v1/pools/followed/usage?from=soon").code()).isEqualTo("invalid-request");
    assertThat(get("/v1/pools/followed/usage?until=2020-01-01T00:00:00Z").json().get("samples"))
        .isEmpty();
  }

  @Test
  void countsTheValuesOfPartsAndFindsWhatIsHeld() {
    post("/v1/pools", "{\"name\": \"dense\", \"blocks\": [\"2001:db8::/64\"]}");
    post("/v1/pools/dense/claims", "{\"client\": \"a\", \"value\": \"2001:db8::7\"}");
    post("/v1/pools/dense/quarantine", "{\"values\": [\"2001:db8::9\"], \"for\": \"1h\"}");

    JsonNode density = get("/v1/pools/dense/density?parts=4").json();
    JsonNode first = density.get("parts").get(0);

    assertThat(density.get("part_size").bigIntegerValue()).isEqualTo(1L << 62);
    assertThat(density.get("parts").size()).isEqualTo(4);
    assertThat(first.get("cidr").asString()).isEqualTo("2001:db8::/66");
    assertThat(first.get("held").asInt()).isEqualTo(1);
    assertThat(first.get("quarantined").asInt()).isEqualTo(1);
    assertThat(get("/v1/pools/dense/density?from=x").code()).isEqualTo("invalid-request");
    assertThat(get("/v1/pools/dense/density?parts=0").code()).isEqualTo("invalid-request");
    assertThat(get("/v1/pools/dense/held?after=2001:db8::1").json().at("/claim/client").asString())
        .isEqualTo("a");
    assertThat(get("/v1/pools/dense/held?before=2001:db8::7").json().get("claim").isNull())
        .isTrue();
    assertThat(get("/v1/pools/dense/held?after=2001:db8::1&before=2001:db8::7").detail())
        .isEqualTo("expected after or before, not both");
    JsonNode quarantined = get("/v1/pools/dense/quarantine?limit=1").json();
    assertThat(quarantined.at("/values/0/value").asString()).isEqualTo("2001:db8::9");
    assertThat(quarantined.get("next").asString()).isEqualTo("2001:db8::9");
    assertThat(get("/v1/pools/dense/quarantine?after=2001:db8::9").response.body())
        .isEqualTo("{\"values\":[],\"next\":null}");
  }

  @Test
  void aGateRefusesClaims() {
    post("/v1/pools", "{\"name\": \"alpha\", \"blocks\": [\"10.9.1.0/29\"]}");
    String gate = "{\"owners\":[\"acme\"],\"share\":\"0%\",\"rate\":\"1/1h\"}";

    Answer open = get("/v1/pools/alpha/gate");
    Answer set = put("/v1/pools/alpha/gate", gate);
    Answer refused = claim("alpha", "vm-1", "initech");
    Answer granted = claim("alpha", "vm-2", "acme");
    Answer tooFast = claim("alpha", "vm-3", "acme");

    assertThat(open.response.body()).isEqualTo("{\"owners\":[],\"share\":null,\"rate\":null}");
    assertThat(set.response.body()).isEqualTo(gate);
    assertThat(refused.status).isEqualTo(403);
    assertThat(refused.code()).isEqualTo("not-open");
    assertThat(refused.detail()).isEqualTo("pool \"alpha\": not open to owner \"initech\" yet");
    assertThat(granted.status).isEqualTo(201);
    assertThat(tooFast.status).isEqualTo(429);
    assertThat(tooFast.code()).isEqualTo("rate-limited");
    assertThat(Integer.parseInt(tooFast.header("Retry-After"))).isBetween(1, 3_600);
    assertThat(put("/v1/pools/alpha/gate", "{\"share\": \"5\"}").status).isEqualTo(400);
    assertThat(put("/v1/pools/alpha/gate", "{\"owners\": [null]}").detail())
        .isEqualTo("owners: an element is null");
    assertThat(put("/v1/pools/alpha/gate", "{}").status).isEqualTo(200);
    assertThat(claim("alpha", "vm-1", "initech").status).isEqualTo(201);
  }

  @Test
  void inspectsIdentifiers() {
    Answer answer = get("/v1/ids?id=01FZG96YPZK4SANAG1ZM5T2K9Z&id=nonsense,%20surely");

    assertThat(answer.status).isEqualTo(200);
    JsonNode ulid = answer.json().get(0);
    assertThat(ulid.get("input").asString()).isEqualTo("01FZG96YPZK4SANAG1ZM5T2K9Z");
    JsonNode reading = ulid.get("readings").get(0);
    assertThat(reading.get("kind").asString()).isEqualTo("ulid");
    assertThat(reading.get("reason").asString()).startsWith("only this kind is written as 26");
    assertThat(reading.get("version").isNull()).isTrue();
    assertThat(reading.get("time").asString()).isEqualTo("2022-03-31T15:23:55.999Z");
    assertThat(reading.get("forms").get("uuid").asString())
        .isEqualTo("017fe093-7adf-9932-aaaa-01fd0ba14d3f");
    JsonNode timestamp = reading.get("fields").get(0);
    assertThat(timestamp.get("bits").toString()).isEqualTo("[0,48]");
    assertThat(timestamp.get("text").toString()).isEqualTo("[0,10]");
    assertThat(timestamp.get("value").isNumber()).isTrue();
    JsonNode randomness = reading.get("fields").get(1);
    assertThat(randomness.get("value").isString()).as("80 bits do not fit a number").isTrue();
    assertThat(answer.json().get(1).get("input").asString()).isEqualTo("nonsense, surely");
    assertThat(answer.json().get(1).get("readings")).isEmpty();
  }

  @Test
  void findsIdentifiersInAText() {
    post("/v1/pools", "{\"name\": \"scanned\", \"blocks\": [\"10.9.7.0/29\"]}");
    post("/v1/pools/scanned/claims", "{\"client\": \"vm-1\", \"value\": \"10.9.7.2\"}");
    String text = "10.9.7.2 read p:PM123 of 01FZG96YPZK4SANAG1ZM5T2K9Z, 10.9.8.1 did not; PM123";

    JsonNode found = post("/v1/inspections", "{\"text\": \"" + text + "\"}").json();

    JsonNode address = found.get("ids").get(0);
    assertThat(address.get("text").asString()).isEqualTo("10.9.7.2");
    assertThat(address.get("claims").get(0).get("client").asString()).isEqualTo("vm-1");
    assertThat(found.get("ids").get(1).get("collection").asString()).isEqualTo("payments");
    JsonNode ulid = found.get("ids").get(2);
    assertThat(ulid.get("start").asInt()).isEqualTo(text.indexOf("01FZ"));
    assertThat(ulid.get("readings").get(0).get("kind").asString()).isEqualTo("ulid");
    assertThat(found.get("ids")).hasSize(4);
    assertThat(found.get("truncated").asBoolean()).isFalse();
    assertThat(found.get("nearest_miss").isNull()).isTrue();
    JsonNode miss = post("/v1/inspections", "{\"text\": \"a 01FZG96YPZK4SANAG1ZM5T2K9\"}").json();
    assertThat(miss.get("nearest_miss").get("start").asInt()).isEqualTo(2);
  }

  @Test
  void prefixesAreClaimedAndReleasedAndAnAddressFindsItsPrefix() {
    create("pods", "10.244.0.0/16 by /24", "");
    assertThat(get("/v1/pools/pods").json().get("blocks").get(0).asString())
        .isEqualTo("10.244.0.0/16 by /24");

    Answer granted = post("/v1/pools/pods/claims", "{\"client\": \"node-1\"}");
    assertThat(granted.json().get("value").asString()).isEqualTo("10.244.0.0/24");
    String path = "/v1/pools/pods/claims/10.244.0.0%2F24";
    assertThat(granted.header("Location")).isEqualTo(path);
    assertThat(get(path).json().get("client").asString()).isEqualTo("node-1");

    JsonNode found =
        post("/v1/inspections", "{\"text\": \"10.244.0.17 and 10.245.0.1\"}").json().get("ids");
    assertThat(found).hasSize(1);
    JsonNode claim = found.get(0).get("claims").get(0);
    assertThat(claim.get("value").asString()).isEqualTo("10.244.0.0/24");
    assertThat(claim.get("client").asString()).isEqualTo("node-1");

    assertThat(delete(path, granted.header("ETag")).status).isEqualTo(204);
    assertThat(get(path).code()).isEqualTo("claim-not-found");
    assertThat(
            post("/v1/pools", "{\"name\": \"bad\", \"blocks\": [\"10.0.0.0/16 by /8\"]}").detail())
        .contains("10.0.0.0/16 by /8: expected prefixes of /16 to /32");
  }

  @Test
  void readsAndFindsFormatsOfTheCatalog() {
    String flake = "485599740419919879";

    JsonNode reading = get("/v1/ids?id=" + flake).json().get(0).get("readings").get(0);
    JsonNode found =
        post("/v1/inspections", "{\"text\": \"SO-0123456789ab is " + flake + "\"}")
            .json()
            .get("ids");

    assertThat(reading.get("kind").asString()).isEqualTo("acme-flake");
    assertThat(reading.get("time").asString()).isEqualTo("2024-01-01T00:00:00.123Z");
    assertThat(reading.get("fields").get(2).get("name").asString()).isEqualTo("node");
    assertThat(reading.get("fields").get(2).get("bits").toString()).isEqualTo("[42,52]");
    assertThat(found.get(0).get("text").asString()).isEqualTo("SO-0123456789ab");
    assertThat(found.get(0).get("readings").get(0).get("kind").asString()).isEqualTo("shop-order");
    assertThat(found.get(1).get("readings").get(0).get("kind").asString()).isEqualTo("acme-flake");
  }

  @Test
  void aTextHasAMebibyteAtMost() {
    String most = "{\"text\": \"" + "a ".repeat(1 << 19) + "\"}";

    assertThat(post("/v1/inspections", most).status).isEqualTo(200);
    assertThat(post("/v1/inspections", most.replace("\"}", "a\"}")).detail())
        .isEqualTo("text has 1048577 characters: expected at most 1048576");
    assertThat(post("/v1/inspections", "{\"text\": \"" + "\\n".repeat(1 << 20) + "\"}").code())
        .isEqualTo("body-too-large");
    assertThat(post("/v1/inspections", "{}").detail())
        .isEqualTo("text is missing: expected the text to inspect");
  }

  @Test
  void refusesToInspectNothingOrTooMuch() {
    assertThat(get("/v1/ids").detail()).isEqualTo("parameter \"id\" is missing");
    assertThat(get("/v1/ids").code()).isEqualTo("missing-parameter");
    assertThat(get("/v1/ids?" + "id=a&".repeat(101)).status).isEqualTo(400);
  }

  @Test
  void readsPuris() {
    JsonNode puris =
        get("/v1/puris?id=BobsBurgers:payments:pm000123&id=Acme:Widgets:A%252fB&id=b.p.123").json();

    assertThat(puris.get(0).toString())
        .isEqualTo(
            """
            {"input":"BobsBurgers:payments:pm000123","namespace":"bobsburgers",\
            "collection":"payments","identifier":"PM123",\
            "canonical":"bobsburgers:payments:PM123","compact":"b.p.123","known":true,\
            "stored":{"type":"bigint","value":"123"},"warning":null}\
            """);
    assertThat(puris.get(1).toString())
        .isEqualTo(
            """
            {"input":"Acme:Widgets:A%2fB","namespace":"Acme","collection":"Widgets",\
            "identifier":"A/B","canonical":"acme:widgets:A%2FB","compact":"Acme:Widgets:A%2FB",\
            "known":false,"stored":{"type":"text","value":"Acme:Widgets:A%2FB"},"warning":null}\
            """);
    assertThat(puris.get(2).get("canonical")).isEqualTo(puris.get(0).get("canonical"));
  }

  @Test
  void saysWhyAColumnCannotHoldAPuri() {
    JsonNode puri = get("/v1/puris?id=bobsburgers:tracks:Chicken").json().get(0);

    assertThat(puri.get("canonical").asString()).isEqualTo("bobsburgers:tracks:Chicken");
    assertThat(puri.get("known").asBoolean()).isTrue();
    assertThat(puri.get("stored").isNull()).isTrue();
    assertThat(puri.get("warning").asString())
        .startsWith("malformed identifier \"Chicken\": it has 7 characters: expected");
  }

  @Test
  void refusesWhatIsNoPuri() {
    assertThat(get("/v1/puris?id=bobsburgers:tracks:1&id=a:b").detail())
        .isEqualTo(
            "malformed pURI \"a:b\": it has 2 segments: expected namespace:collection:identifier");
    assertThat(get("/v1/puris?id=b.x.1").detail()).contains("no collection of the codes \"b.x\"");
    assertThat(get("/v1/puris").code()).isEqualTo("missing-parameter");
    assertThat(get("/v1/puris?" + "id=a:b:c&".repeat(101)).status).isEqualTo(400);
  }

  @Test
  void mintsByKindAndByCollection() {
    JsonNode byKind = post("/v1/ids", "{\"kind\": \"uuidv7\", \"count\": 3}").json();
    JsonNode byCollection = post("/v1/ids", "{\"collection\": \"tracks\"}").json();

    List<UUID> ids = new ArrayList<>();
    byKind.get("ids").forEach(id -> ids.add(Uuids.parse(id.asString())));
    assertThat(ids).hasSize(3).doesNotHaveDuplicates().allMatch(id -> id.version() == 7);
    assertThat(byCollection.get("kind").asString()).isEqualTo("ulid");
    assertThat(Ulid.tryParse(byCollection.get("ids").get(0).asString())).isPresent();
  }

  @Test
  void mintsEveryKindThatNeedsNoDatabase() {
    String ofNode = "{\"kind\": \"snowflake\", \"node\": 7, \"count\": 1000}";
    String ofType = "{\"kind\": \"typeid\", \"prefix\": \"user\", \"order\": \"ascending\"}";

    List<Snowflake> snowflakes = new ArrayList<>();
    List<String> typeIds = new ArrayList<>();
    for (int request = 0; request < 5; request++) {
      post("/v1/ids", ofNode)
          .json()
          .get("ids")
          .forEach(id -> snowflakes.add(Snowflake.parse(id.asString())));
      typeIds.add(post("/v1/ids", ofType).json().get("ids").get(0).asString());
    }

    assertThat(snowflakes).hasSize(5000).doesNotHaveDuplicates().isSorted();
    assertThat(typeIds).isSorted().allMatch(id -> id.startsWith("user_0"));
    assertThat(post("/v1/ids", "{\"kind\": \"nanoid\"}").json().get("ids").get(0).asString())
        .hasSize(21);
  }

  @Test
  void listsTheKindsAndMintsEachWithWhatItRequires() {
    Map<String, String> settings =
        Map.of(
            "node", "7",
            "prefix", "\"user\"",
            "namespace", "\"dns\"",
            "name", "\"example.org\"");

    JsonNode kinds = get("/v1/ids/kinds").json();

    assertThat(kinds).hasSize(MintedKind.all().size());
    for (JsonNode kind : kinds) {
      String label = kind.get("kind").asString();
      StringBuilder request = new StringBuilder("{\"kind\": \"" + label + "\"");
      for (JsonNode setting : kind.get("required")) {
        request.append(", \"").append(setting.asString()).append("\": ");
        request.append(settings.get(setting.asString()));
      }
      JsonNode minted = post("/v1/ids", request.append("}").toString()).json();
      assertThat(minted.get("kind").asString()).isEqualTo(label);
      assertThat(minted.get("ids")).hasSize(1);
    }
    assertThat(post("/v1/ids", "{\"kind\": \"uuidv5\"}").detail())
        .isEqualTo("kind uuidv5 needs a namespace: dns, url, oid, x500 or a UUID");
  }

  @Test
  void comparesKindsAndRecommendsOne() {
    JsonNode preset = get("/v1/comparison").json();
    JsonNode asked =
        get("/v1/comparison?rate=1k&years=10&secret=time&order=time&minted_by=servers").json();
    JsonNode token = get("/v1/comparison?secret=access").json();

    assertThat(preset.at("/recommendation/kind").asString()).isEqualTo("uuidv7");
    assertThat(preset.get("rate_per_second").asDouble()).isEqualTo(1e6);
    assertThat(asked.get("rate_per_second").asDouble()).isEqualTo(1e3);
    assertThat(asked.at("/recommendation/take").asString()).isEqualTo("UUIDv7, and a mask outside");
    assertThat(asked.at("/questions/4/answer").asString()).isEqualTo("servers");
    assertThat(token.at("/recommendation/runner_up").isNull()).isTrue();
    assertThat(token.at("/recommendation/kind").isNull()).isTrue();
  }

  @ParameterizedTest
  @CsvSource({
    "rate=many, 'rate is \"many\": expected a number such as 1000, 1_000_000, 1e6 or 1M'",
    "years=0, 'years is \"0\": expected 0.001 to 1,000,000'",
    "order=tim, 'unknown answer to order \"tim\": did you mean \"time\"? expected one of none, time,"
        + " strict'",
  })
  void saysWhatIsWrongWithAnAnswer(String query, String detail) {
    Answer answer = get("/v1/comparison?" + query);

    assertThat(answer.status).isEqualTo(400);
    assertThat(answer.code()).isEqualTo("invalid-request");
    assertThat(answer.detail()).isEqualTo(detail);
  }

  @Test
  void saysWhatIsWrongWithAMint() {
    assertThat(post("/v1/ids", "{\"kind\": \"snowflake\"}").detail())
        .startsWith("kind snowflake needs a node: 0 to 1023");
    assertThat(post("/v1/ids", "{\"kind\": \"ulid\", \"order\": \"upwards\"}").detail())
        .startsWith("unknown order \"upwards\": expected one of random, ascending");
    assertThat(post("/v1/ids", "{\"kind\": \"uuidv9\"}").detail())
        .isEqualTo(
            "unknown kind \"uuidv9\": did you mean \"uuidv7\"? expected one of ulid, uuidv7,"
                + " uuidv4, nanoid, snowflake, tsid, typeid, ksuid, objectid, xid, uuidv1,"
                + " uuidv3, uuidv5, uuidv6, uuidv8, uuidv7-draft");
    assertThat(post("/v1/ids", "{\"kind\": \"ulid\", \"count\": 10001}").detail())
        .isEqualTo("count is 10001: expected 1 to 10000");
    assertThat(post("/v1/ids", "{\"collection\": \"steaks\"}").detail())
        .isEqualTo("the catalog has no collection \"steaks\"");
    assertThat(post("/v1/ids", "{\"collection\": \"payments\"}").detail())
        .isEqualTo(
            "kind sequence cannot be minted here: the database counts it, when a row is inserted");
    assertThat(post("/v1/ids", "{\"kidn\": \"ulid\"}").detail())
        .startsWith("unknown key \"kidn\": known are ");
    assertThat(post("/v1/ids", "{\"%s\": 1}".formatted("k".repeat(40_000))).detail())
        .startsWith("unknown key \"" + "k".repeat(64) + "\"... (40000 characters): known are ");
    assertThat(post("/v1/ids", "{\"kind\": ").detail()).startsWith("malformed JSON: ");
    assertThat(post("/v1/ids", "").detail()).isEqualTo("the request has no JSON body");
    assertThat(post("/v1/ids", "{}").status).isEqualTo(400);
  }

  @Test
  void malformedBodiesAreToldInOurWordsNotInThoseOfALibrary() {
    create("strict", "10.8.0.0/24", "");
    String claims = "/v1/pools/strict/claims";

    assertThat(post("/v1/ids", "{\"kind\": \"ulid\", \"count\": 2.7}").detail())
        .isEqualTo("the value of \"count\" has the wrong type");
    assertThat(post(claims, "{\"client\": {}}").detail())
        .isEqualTo("the value of \"client\" has the wrong type");
    assertThat(post(claims, "[]").detail()).isEqualTo("the value of the body has the wrong type");
    assertThat(post(claims, "{\"client\": \"a\", \"slot\": 2147483648}").detail())
        .isEqualTo("the value of \"slot\" is too large: expected an integer of 32 bits");
    assertThat(post(claims, "{\"client\": \"a\", \"slot\": 2147483648}").code())
        .isEqualTo("wrong-type");
    assertThat(post(claims, "{\"client\": \"a\", \"lease\": \"soon\"}").detail())
        .startsWith("lease: malformed duration \"soon\": expected ");
    assertThat(post(claims, "{\"client\": \"a\", \"client\": \"b\"}").detail())
        .startsWith("malformed JSON: line 1, column ")
        .contains("Duplicate");
    assertThat(post(claims, "{\n \"client\": ").detail())
        .startsWith("malformed JSON: line 2, column ")
        .doesNotContain("Source", "marker at");
    assertThat(post(claims, "{\"client\": \"\\ud800\"}").detail()).contains("surrogate");
    for (String tooLong :
        List.of(
            "{\"client\": \"a\", \"slot\": " + "9".repeat(20_000) + "}",
            "{\"" + "k".repeat(60_000) + "\": 1}")) {
      Answer answer = post(claims, tooLong);
      assertThat(answer.code()).isEqualTo("malformed-json");
      assertThat(answer.status).isEqualTo(400);
      assertThat(answer.detail())
          .startsWith("malformed JSON: ")
          .contains("exceeds the maximum allowed (")
          .doesNotContain("StreamReadConstraints");
    }
    assertThat(post("/v1/pools", "{\"name\": \"a\", \"blocks\": [null]}").detail())
        .isEqualTo("blocks: an element is null");
    assertThat(post("/v1/pools", "{\"name\": \"a\", \"range\": \"1..2\", \"ipv6\": {}}").detail())
        .isEqualTo("ipv6: expected prefix and embed");
    assertThat(get(claims + "?client=a%00b").status).isEqualTo(400);
    assertThat(post(claims, "{\"client\": \"" + "x".repeat(70_000) + "\"}").status).isEqualTo(413);
    assertThat(get("/v1/pools/strict").json().get("held").asInt()).isZero();
  }

  @Test
  void aProblemHasWhatTheStandardSaysAndNoMore() {
    assertThat(get("/v1/pools/nowhere").json().propertyNames())
        .containsExactlyInAnyOrder(
            "type", "title", "status", "detail", "instance", "code", "request_id");
    assertThat(get("/v1/pools/nowhere").json().get("type").asString())
        .isEqualTo("urn:mintmark:problem:pool-not-found");
  }

  @Test
  void nothingIsDoneForOneWhoCouldNotReadTheAnswer() {
    create("unread", "10.9.0.0/24", "");

    HttpRequest.Builder request =
        request("POST", "/v1/pools/unread/claims", "{\"client\": \"a\"}")
            .header("Accept", "image/png");

    assertThat(send(request, "{\"client\": \"a\"}").status).isEqualTo(406);
    assertThat(get("/v1/pools/unread").json().get("held").asInt()).isZero();
  }

  @Test
  void aPoolThatAFailoverHasStoppedGrantsNothingUntilItIsResumed() throws SQLException {
    create("stopped", "10.10.0.0/24", ", \"after_failover\": \"stop\"");
    Answer held = post("/v1/pools/stopped/claims", "{\"client\": \"a\"}");
    try (Connection connection = database.ownConnections("test").getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute("update mintmark.pool set stopped_at = now() where name = 'stopped'");
    }

    Answer refused = post("/v1/pools/stopped/claims", "{\"client\": \"b\"}");

    assertThat(refused.status).isEqualTo(503);
    assertThat(refused.code()).isEqualTo("database-set-back");
    assertThat(refused.detail())
        .contains(
            "mintmark pool quarantine stopped --all --for TIME", "mintmark pool resume stopped");
    assertThat(refused.header("Retry-After")).isEqualTo("30");
    assertThat(post("/v1/pools/stopped/claims", "{\"client\": \"a\"}").json())
        .as("held")
        .isEqualTo(held.json());
    Answer resumed = post("/v1/pools/stopped/resume", "");
    assertThat(resumed.status).isEqualTo(200);
    assertThat(resumed.json().get("stopped_at").isNull()).isTrue();
    assertThat(post("/v1/pools/stopped/claims", "{\"client\": \"b\"}").status).isEqualTo(201);
  }

  @Test
  void aPoolIsCreatedListedAndShown() {
    Answer created =
        post(
            "/v1/pools",
            """
            {"name": "shown", "blocks": ["10.1.0.0/30"], "exclude": ["10.1.0.2"], "lease": "30s",
             "quarantine": "10m", "ipv6": {"prefix": "2001:db8::/96", "embed": "ipv4"},
             "order": "ascending", "per_client": 1, "per_owner": 7, "sticky": false,
             "history": "none"}
            """);

    assertThat(created.status).isEqualTo(201);
    assertThat(created.header("Location")).isEqualTo("/v1/pools/shown");
    assertThat(get("/v1/pools/shown").json()).isEqualTo(created.json());
    assertThat(created.json().toString())
        .isEqualTo(
            "{\"name\":\"shown\",\"database\":null,\"blocks\":[\"10.1.0.0/30\"],\"lists\":[],"
                + "\"blocks_from\":null,\"keep_free\":null,"
                + "\"exclude\":[\"10.1.0.2/32\"],\"order\":\"ascending\",\"per_client\":1,"
                + "\"per_owner\":7,\"sticky\":false,\"lease\":\"30s\",\"quarantine\":\"10m\","
                + "\"history\":null,"
                + "\"ipv6\":{\"prefix\":\"2001:db8::/96\",\"embed\":\"ipv4\"},"
                + "\"after_failover\":\"quarantine\",\"thresholds\":[80,95],\"stopped_at\":null,"
                + "\"capacity\":1,\"free\":1,\"never_issued\":0,\"held\":0,\"quarantined\":0,"
                + "\"draining\":0,\"utilisation\":[{\"block\":\"10.1.0.0/30\",\"drains\":false,"
                + "\"capacity\":1,\"free\":1,\"never_issued\":0,\"held\":0,\"quarantined\":0,"
                + "\"draining\":0}]}");
    assertThat(get("/v1/pools").json().get("pools"))
        .extracting(pool -> pool.get("name").asString())
        .contains("shown");
    assertThat(post("/v1/pools", "{\"name\": \"shown\", \"range\": \"1..2\"}").status)
        .isEqualTo(409);
  }

  @Test
  void aPoolThatIsDeletedWhileItIsCreatedIsAConflict() throws SQLException {
    try (Connection connection = database.ownConnections("test").getConnection();
        Statement statement = connection.createStatement()) {
      statement.execute(
          """
          create function delete_fleeting() returns trigger language plpgsql
          as 'begin delete from mintmark.pool where pool_id = new.pool_id; return null; end';
          create constraint trigger delete_fleeting after insert on mintmark.pool
          deferrable initially deferred for each row
          when (new.name = 'fleeting') execute function delete_fleeting()""");
    }

    Answer answer = post("/v1/pools", "{\"name\": \"fleeting\", \"range\": \"1..9\"}");

    assertThat(answer.code()).isEqualTo("pool-deleted");
    assertThat(answer.status).isEqualTo(409);
    assertThat(get("/v1/pools/fleeting").code()).isEqualTo("pool-not-found");
  }

  @Test
  void saysWhatIsWrongWithAPool() {
    assertThat(post("/v1/pools", "{\"name\": \"a\"}").detail())
        .isEqualTo("expected one of blocks, range, lists and blocks_from");
    assertThat(post("/v1/pools", "{\"name\": \"a\", \"blocks\": [\"10.0.0.1/24\"]}").detail())
        .isEqualTo(
            "malformed block \"10.0.0.1/24\": bits of the host are set; its block is 10.0.0.0/24");
    assertThat(get("/v1/pools/nowhere").detail()).isEqualTo("no pool \"nowhere\"");
    assertThat(get("/v1/pools/nowhere").status).isEqualTo(404);
  }

  @Test
  void aValueIsClaimedFoundAndReleased() {
    create("claimed", "10.2.0.0/30", "");

    Answer granted =
        post("/v1/pools/claimed/claims", "{\"client\": \"vm-1\", \"owner\": \"acme\"}");
    Answer again = post("/v1/pools/claimed/claims", "{\"client\": \"vm-1\"}");

    assertThat(granted.status).isEqualTo(201);
    assertThat(again.status).isEqualTo(200);
    assertThat(again.json()).isEqualTo(granted.json());
    String value = granted.json().get("value").asString();
    String token = granted.json().get("token").asString();
    String path = "/v1/pools/claimed/claims/" + value;
    assertThat(granted.header("ETag")).isEqualTo("\"" + token + "\"");
    assertThat(granted.header("Location")).isEqualTo(path);
    assertThat(granted.json().get("owner").asString()).isEqualTo("acme");
    assertThat(granted.json().get("expires_at").isNull()).isTrue();
    assertThat(get(path).json()).isEqualTo(granted.json());

    assertThat(delete(path, null).status).isEqualTo(428);
    assertThat(delete(path, "\"999999\"").status).isEqualTo(412);
    assertThat(delete(path, token).detail()).contains("expected the claim's token in quotes");
    assertThat(delete(path, "\"" + token + "\"").status).isEqualTo(204);
    assertThat(delete(path, "\"" + token + "\"").status).isEqualTo(404);
    assertThat(get(path).status).isEqualTo(404);
  }

  @Test
  void anEmptyPoolAnswersWithWhenToAskAgain() {
    create("empty", "10.3.0.1", ", \"quarantine\": \"90s\"");
    Answer granted = post("/v1/pools/empty/claims", "{\"client\": \"a\"}");
    String value = granted.json().get("value").asString();
    delete("/v1/pools/empty/claims/" + value, granted.header("ETag"));

    Answer exhausted = post("/v1/pools/empty/claims", "{\"client\": \"b\"}");

    assertThat(exhausted.status).isEqualTo(409);
    assertThat(exhausted.detail()).startsWith("pool \"empty\": exhausted at ");
    assertThat(Integer.parseInt(exhausted.header("Retry-After"))).isBetween(1, 90);
  }

  @Test
  void aLeaseIsRenewed() {
    create("leased", "10.4.0.0/30", ", \"lease\": \"1h\"");
    Answer granted = post("/v1/pools/leased/claims", "{\"client\": \"a\", \"lease\": \"30m\"}");
    String path = granted.header("Location") + "/renewal";

    Answer renewed = send("POST", path, "{\"lease\": \"2h\"}", granted.header("ETag"));

    assertThat(renewed.status).isEqualTo(200);
    assertThat(renewed.json().get("expires_at").asString())
        .isGreaterThan(granted.json().get("expires_at").asString());
    assertThat(send("POST", path, null, granted.header("ETag")).status).isEqualTo(200);
    assertThat(send("POST", path, null, "\"0\"").status).isEqualTo(412);
    assertThat(send("POST", path, null, null).status).isEqualTo(428);
  }

  @Test
  void claimsAreListedPageByPage() {
    create("listed", "10.5.0.0/29", "");
    for (int i = 0; i < 6; i++) {
      post("/v1/pools/listed/claims", "{\"client\": \"c" + i + "\", \"owner\": \"o\"}");
    }

    JsonNode first = get("/v1/pools/listed/claims?limit=4").json();
    String next = first.get("next").asString();
    JsonNode second = get("/v1/pools/listed/claims?limit=4&owner=o&after=" + next).json();

    assertThat(first.get("claims")).hasSize(4);
    assertThat(next).isEqualTo("10.5.0.4");
    assertThat(second.get("claims")).hasSize(2);
    assertThat(second.get("next").isNull()).isTrue();
    assertThat(get("/v1/pools/listed/claims?limit=0").status).isEqualTo(400);
    assertThat(get("/v1/pools/listed/claims?limit=x").status).isEqualTo(400);
  }

  @Test
  void claimsAreFoundByPrefix() {
    create("prefixed", "10.31.0.0/29", ", \"history\": \"1d\"");
    for (String client : List.of("vm-4", "vm-40", "db-4")) {
      post("/v1/pools/prefixed/claims", "{\"client\": \"%s\"}".formatted(client));
    }

    assertThat(get("/v1/pools/prefixed/claims?client_prefix=vm-").json().get("claims")).hasSize(2);
    assertThat(get("/v1/pools/prefixed/claims?owner_prefix=a").json().get("claims")).isEmpty();
    assertThat(get("/v1/pools/prefixed/history?client_prefix=db").json().get("history")).hasSize(1);
    assertThat(get("/v1/pools/prefixed/claims?client=vm-4&client_prefix=vm").detail())
        .isEqualTo("expected client or client_prefix, not both");
    assertThat(get("/v1/pools/prefixed/claims?owner_prefix=").detail())
        .isEqualTo("owner_prefix: prefix \"\": expected 1 to 255 characters, got 0");
  }

  @Test
  void claimsHaveLabelsAndAreFoundByThem() {
    create("labelled", "10.32.0.0/29", ", \"history\": \"1d\"");
    String claims = "/v1/pools/labelled/claims";
    Answer granted =
        post(
            claims,
            """
            {"client": "a", "note": {"labels": {"rack": "b7"}, "dns_name": "web-1.example.com"}}""");
    post(claims, "{\"client\": \"b\", \"note\": {\"labels\": {\"rack\": \"b8\"}}}");
    assertThat(granted.json().at("/note/labels/rack").asString()).isEqualTo("b7");
    assertThat(post(claims, "{\"client\": \"a\"}").json().get("note").isNull())
        .as("not read")
        .isTrue();

    assertThat(get(claims + "?label=rack:b7").json().at("/claims/0/note/dns_name").asString())
        .isEqualTo("web-1.example.com");
    assertThat(get(claims + "?label_prefix=rack:b").json().get("claims")).hasSize(2);
    assertThat(get(claims + "?label_prefix=room:").json().get("claims")).isEmpty();
    assertThat(get(claims + "?label=rack").detail())
        .isEqualTo("label \"rack\": expected KEY:VALUE");

    String note = granted.header("Location") + "/note";
    Answer written = send("PUT", note, "{\"labels\": {\"rack\": \"c1\"}}", granted.header("ETag"));
    assertThat(written.status).isEqualTo(200);
    assertThat(written.json().get("dns_name").isNull()).isTrue();
    assertThat(send("PUT", note, "{}", "\"0\"").status).isEqualTo(412);
    assertThat(send("PUT", note, "{}", null).status).isEqualTo(428);
    assertThat(send("PUT", claims + "/10.32.0.9/note", "{}", "\"1\"").status).isEqualTo(404);
    assertThat(send("PUT", note, "{\"labels\": {\"a\": null}}", granted.header("ETag")).detail())
        .isEqualTo("labels: the value of \"a\" is null");

    send("DELETE", granted.header("Location"), null, granted.header("ETag"));
    JsonNode past = get("/v1/pools/labelled/history?label=rack:c1").json().get("history");
    assertThat(past).hasSize(1);
    assertThat(past.at("/0/note/labels/rack").asString()).isEqualTo("c1");
  }

  @Test
  void manyClaimsAreRenewedAndReleasedAtOnce() {
    create("many", "10.33.0.0/28", ", \"lease\": \"1m\", \"quarantine\": \"0s\"");
    for (int i = 0; i < 6; i++) {
      String owner = i % 2 == 0 ? "acme" : "globex";
      post(
          "/v1/pools/many/claims",
          "{\"client\": \"vm-%d\", \"owner\": \"%s\"}".formatted(i, owner));
    }

    Answer renewed =
        post(
            "/v1/pools/many/renewals",
            "{\"select\": {\"client_prefix\": \"vm-\"}, \"lease\": \"2h\"}");
    assertThat(renewed.status).isEqualTo(200);
    assertThat(renewed.json().get("renewed")).hasSize(6);
    assertThat(renewed.json().at("/renewed/0/expires_at").asString())
        .isGreaterThan(Instant.now().plusSeconds(3600).toString());

    String releases = "/v1/pools/many/releases";
    Answer first = post(releases, "{\"select\": {\"owner\": \"acme\"}, \"limit\": 2}");
    assertThat(first.json().get("released")).hasSize(2);
    String next = first.json().get("next").asString();
    Answer rest =
        post(releases, "{\"select\": {\"owner\": \"acme\"}, \"after\": \"%s\"}".formatted(next));
    assertThat(rest.json().get("released")).hasSize(1);
    assertThat(rest.json().get("next").isNull()).isTrue();
    assertThat(post(releases, "{\"select\": {\"owner\": \"acme\"}}").json().get("released"))
        .as("released already")
        .isEmpty();
    assertThat(get("/v1/pools/many").json().get("held").asInt()).isEqualTo(3);
    assertThat(post(releases, "{\"select\": {}}").detail())
        .isEqualTo(
            "expected a client, an owner or a label: all claims of a pool are not changed at once");
    assertThat(post(releases, "{}").status).isEqualTo(400);
    assertThat(post(releases, "{\"select\": {\"owner\": \"acme\"}, \"limit\": 10001}").detail())
        .isEqualTo("limit is 10001: expected 1 to 10000");
  }

  @Test
  void aHolderKeepsItsClaimsAliveWithOneRequest() {
    create("kept", "10.35.0.0/28", ", \"lease\": \"1m\"");
    JsonNode first = post("/v1/pools/kept/claims", "{\"client\": \"a\"}").json();
    JsonNode second = post("/v1/pools/kept/claims", "{\"client\": \"b\"}").json();
    String path = "/v1/pools/kept/keep-alive";
    String body =
        "{\"claims\": [{\"value\": \"%s\", \"token\": \"%s\"}, {\"value\": \"%s\", \"token\": \"0\"}],"
            + " \"lease\": \"2h\"}";

    JsonNode kept =
        post(
                path,
                body.formatted(
                    first.get("value").asString(),
                    first.get("token").asString(),
                    second.get("value").asString()))
            .json();

    assertThat(kept.get("renewed")).hasSize(1);
    assertThat(kept.at("/renewed/0/token")).isEqualTo(first.get("token"));
    assertThat(Instant.parse(kept.at("/renewed/0/expires_at").asString()))
        .isAfter(Instant.now().plusSeconds(3600));
    assertThat(kept.get("lost").toString())
        .isEqualTo(
            "[{\"value\":\"%s\",\"token\":\"0\"}]".formatted(second.get("value").asString()));
    String many =
        IntStream.rangeClosed(1, 10_000)
            .mapToObj(
                i -> "{\"value\": \"10.35.0.3\", \"token\": \"%d\"}".formatted(900_000_000 + i))
            .collect(Collectors.joining(","));
    assertThat(post(path, "{\"claims\": [" + many + "]}").json().get("lost")).hasSize(10_000);
    assertThat(post(path, "{\"claims\": []}").detail()).isEqualTo("0 claims: expected 1 to 10000");
    assertThat(post(path, "{}").detail()).startsWith("claims is missing");
    assertThat(post(path, "{\"claims\": [{\"value\": \"x\"}]}").code())
        .isEqualTo("invalid-request");
    assertThat(post(path, "{\"claims\": [{\"value\": \"x\", \"token\": \"-1\"}]}").detail())
        .startsWith("claims: token is \"-1\"");
  }

  @Test
  void whatIsInUseIsImportedAfterAPlanAndExported() {
    create("imported", "10.34.0.0/29", "");
    String path = "/v1/pools/imported/import";
    String file = "value,client,labels\\n10.34.0.1,vm-1,rack:b7\\n10.34.9.9,vm-2,\\n";

    Answer plan = post(path, "{\"content\": \"%s\"}".formatted(file));
    assertThat(plan.status).isEqualTo(200);
    assertThat(plan.json().get("done").asBoolean()).isFalse();
    assertThat(plan.json().get("claimed").asInt()).isEqualTo(1);
    assertThat(plan.json().at("/rejections/0/reason").asString())
        .isEqualTo("no block of the pool has it");
    Answer refused = post(path, "{\"content\": \"%s\", \"apply\": true}".formatted(file));
    assertThat(refused.json().get("done").asBoolean()).as("a line is rejected").isFalse();
    assertThat(get("/v1/pools/imported").json().get("held").asInt()).isZero();

    Answer done =
        post(path, "{\"content\": \"%s\", \"apply\": true, \"skip_bad\": true}".formatted(file));
    assertThat(done.json().get("done").asBoolean()).isTrue();
    assertThat(done.json().get("claimed").asInt()).isEqualTo(1);
    assertThat(post(path, "{\"content\": \"a,b\"}").detail()).contains("heading of no format");
    assertThat(post(path, "{}").detail())
        .isEqualTo("content is missing: expected the text of the file");

    Answer exported = get("/v1/pools/imported/export");
    assertThat(exported.status).isEqualTo(200);
    assertThat(exported.header("Content-Disposition"))
        .isEqualTo("attachment; filename=\"imported.csv\"");
    assertThat(exported.response.body().lines().toList())
        .hasSize(2)
        .contains(
            "value,client,slot,owner,token,claimed_at,expires_at,labels,dns_name,description");
    assertThat(exported.response.body()).contains("10.34.0.1,vm-1,0,,", ",rack:b7,,");
    assertThat(get("/v1/pools/nowhere/export").status).isEqualTo(404);
  }

  @Test
  void severalValuesAreClaimedAtOnceOrNone() {
    createRange("several", "1..4", ", \"per_client\": 3");
    String claims = "/v1/pools/several/claims";

    Answer granted = post(claims, "{\"client\": \"a\", \"count\": 2}");
    Answer more = post(claims, "{\"client\": \"a\", \"slot\": 1, \"count\": 2}");
    Answer again = post(claims, "{\"client\": \"a\", \"slot\": 0, \"count\": 3}");
    Answer single = post(claims, "{\"client\": \"a\", \"slot\": 2}");
    Answer tooMany = post(claims, "{\"client\": \"b\", \"count\": 2}");

    assertThat(granted.status).isEqualTo(201);
    assertThat(granted.json().get("claims")).hasSize(2);
    assertThat(granted.json().get("claims").get(1).get("slot").asInt()).isEqualTo(1);
    assertThat(more.status).isEqualTo(201);
    assertThat(again.status).isEqualTo(200);
    assertThat(again.json().get("claims").get(1)).isEqualTo(more.json().get("claims").get(0));
    assertThat(single.json()).isEqualTo(again.json().get("claims").get(2));
    assertThat(tooMany.status).isEqualTo(409);
    assertThat(tooMany.json().get("title").asString()).isEqualTo("Exhausted");
    assertThat(tooMany.header("Retry-After")).isNotEmpty();
    assertThat(get("/v1/pools/several").json().get("free").asInt()).isEqualTo(1);
    assertThat(post(claims, "{\"client\": \"c\", \"count\": 0}").detail())
        .startsWith("slot 0, count 0: expected");
    assertThat(post(claims, "{\"client\": \"c\", \"count\": 2.5}").detail())
        .isEqualTo("the value of \"count\" has the wrong type");
  }

  @Test
  void aValueIsClaimedByNameAndRefusedByWhatIsInTheWay() {
    createRange("named", "1..9", ", \"per_owner\": 2");
    String claims = "/v1/pools/named/claims";

    Answer granted = post(claims, "{\"client\": \"a\", \"owner\": \"o\", \"value\": \"7\"}");
    Answer taken = post(claims, "{\"client\": \"b\", \"owner\": \"o\", \"value\": \"7\"}");
    post(claims, "{\"client\": \"b\", \"owner\": \"o\"}");
    Answer quota = post(claims, "{\"client\": \"c\", \"owner\": \"o\"}");

    assertThat(granted.json().get("value").asString()).isEqualTo("7");
    assertThat(taken.status).isEqualTo(409);
    assertThat(taken.json().get("title").asString()).isEqualTo("Value taken");
    assertThat(taken.detail())
        .isEqualTo("pool \"named\": 7 is held by another client, quarantined or drained");
    assertThat(quota.status).isEqualTo(409);
    assertThat(quota.json().get("title").asString()).isEqualTo("Quota reached");
    assertThat(quota.detail()).isEqualTo("pool \"named\": owner \"o\" may hold 2");
    assertThat(quota.header("Retry-After")).isEmpty();
    assertThat(post(claims, "{\"client\": \"a\", \"owner\": \"o\", \"value\": \"10\"}").detail())
        .isEqualTo("pool \"named\" has no value \"10\"");
    assertThat(post(claims, "{\"client\": \"a\"}").detail())
        .isEqualTo("pool \"named\" gives an owner 2 values: the claim must name its owner");
  }

  @Test
  void aBlockIsAddedDrainedAndRemoved() {
    createRange("blocks", "1..2", "");
    String blocks = "/v1/pools/blocks/blocks";
    String block = blocks + "?block=11..20";
    Answer granted = post("/v1/pools/blocks/claims", "{\"client\": \"a\", \"value\": \"1\"}");

    Answer added = post(blocks, "{\"block\": \"11..20\", \"exclude\": [\"13..15\"]}");
    Answer held = post("/v1/pools/blocks/claims", "{\"client\": \"b\", \"value\": \"12\"}");
    Answer early = delete(block, null);
    Answer drained = send("PATCH", block, "{\"drains\": true}", null);
    Answer inUse = delete(block, null);
    String states = get("/v1/pools/blocks/map").json().get("states").asString();
    delete("/v1/pools/blocks/claims/12", held.header("ETag"));

    assertThat(granted.status).isEqualTo(201);
    assertThat(added.status).isEqualTo(201);
    assertThat(added.json().get("capacity").asInt()).isEqualTo(9);
    assertThat(early.status).isEqualTo(409);
    assertThat(early.detail())
        .isEqualTo(
            "pool \"blocks\": 11..20 is not drained (held=1, quarantined=0): drain it first");
    assertThat(drained.status).isEqualTo(200);
    assertThat(drained.json().get("draining").asInt()).isEqualTo(6);
    assertThat(drained.json().get("utilisation").get(1).get("drains").asBoolean()).isTrue();
    assertThat(states).isEqualTo("hfdhxxxddddd");
    assertThat(inUse.detail())
        .isEqualTo("pool \"blocks\": 11..20 is still in use (held=1, quarantined=0)");
    assertThat(post(blocks, "{\"block\": \"2..3\"}").detail()).contains("overlap");
    assertThat(post(blocks, "{\"block\": \"30..31\", \"exclude\": [\"1\"]}").detail())
        .isEqualTo("block 30..31: the exclusion 1 lies outside");
    assertThat(post(blocks, "{}").detail()).isEqualTo("expected either block or list");
    assertThat(delete(blocks + "?block=7..8", null).status).isEqualTo(404);
    assertThat(send("PATCH", block, "{}", null).status).isEqualTo(400);
    assertThat(delete(blocks, null).status).isEqualTo(400);
    pools.sweep();
    assertThat(delete(block, null).status).isEqualTo(204);
    assertThat(get("/v1/pools/blocks").json().get("blocks")).hasSize(1);
  }

  @Test
  void valuesAreExcludedAndIncluded() {
    createRange("gateways", "1..6", "");
    Answer claimed = post("/v1/pools/gateways/claims", "{\"client\": \"a\", \"value\": \"3\"}");
    String exclude = "/v1/pools/gateways/exclude";
    String include = "/v1/pools/gateways/include";

    Answer excluded = post(exclude, "{\"values\": [\"1\", \"3..4\"]}");
    Answer again = post(exclude, "{\"values\": [\"4\"]}");
    Answer listed = get("/v1/pools/gateways/claims?excluded=true");
    Answer named = post("/v1/pools/gateways/claims", "{\"client\": \"b\", \"value\": \"4\"}");

    assertThat(excluded.status).isEqualTo(200);
    assertThat(excluded.json().get("changed").asBoolean()).isTrue();
    assertThat(excluded.json().get("exclude").toString()).isEqualTo("[\"1\",\"3..4\"]");
    assertThat(excluded.json().get("held")).isEqualTo(listed.json());
    assertThat(listed.json().get("claims")).containsExactly(claimed.json());
    assertThat(again.json().get("changed").asBoolean()).isFalse();
    assertThat(named.status).isEqualTo(400);
    assertThat(named.detail()).isEqualTo("pool \"gateways\" excludes \"4\"");
    assertThat(get("/v1/pools/gateways/map").json().get("states").asString()).isEqualTo("xfhxff");

    Answer included = post(include, "{\"values\": [\"3\"]}");

    assertThat(included.json().get("exclude").toString()).isEqualTo("[\"1\",\"4\"]");
    assertThat(included.json().get("held").get("claims")).isEmpty();
    assertThat(get("/v1/pools/gateways").json().get("capacity").asInt()).isEqualTo(4);
    assertThat(post(exclude, "{\"values\": [\"7\"]}").detail())
        .isEqualTo("pool \"gateways\": exclusion 7 lies in none of its blocks");
    assertThat(post(include, "{\"values\": [\"7\"]}").status).isEqualTo(400);
    assertThat(post(exclude, "{}").detail()).startsWith("values is missing");
    assertThat(post(exclude, "{\"values\": [null]}").status).isEqualTo(400);
    assertThat(post("/v1/pools/none/exclude", "{\"values\": [\"7\"]}").status).isEqualTo(404);
  }

  @Test
  void aPoolIsDeletedUnlessItIsInUse() {
    createRange("gone", "1..2", "");
    post("/v1/pools/gone/claims", "{\"client\": \"a\"}");

    assertThat(delete("/v1/pools/gone", null).detail())
        .isEqualTo("pool \"gone\" is in use (held=1): force=true deletes it nevertheless");
    assertThat(delete("/v1/pools/gone?force=true", null).status).isEqualTo(204);
    assertThat(delete("/v1/pools/gone", null).status).isEqualTo(404);
  }

  @Test
  void whoHeldWhatIsToldAndForgotten() {
    createRange("told", "1..1", "");
    for (String client : List.of("a", "b", "c")) {
      Answer granted = post("/v1/pools/told/claims", "{\"client\": \"%s\"}".formatted(client));
      if (!client.equals("c")) {
        delete(granted.header("Location"), granted.header("ETag"));
      }
    }
    String history = "/v1/pools/told/history";

    JsonNode first = get(history + "?value=1&limit=2").json();
    JsonNode rest = get(history + "?limit=2&before=" + first.get("next").asString()).json();

    assertThat(first.get("history"))
        .extracting(t -> t.get("client").asString())
        .containsExactly("c", "b");
    assertThat(first.get("history").get(0).get("ended_at").isNull()).isTrue();
    assertThat(first.get("history").get(1).get("ending").asString()).isEqualTo("released");
    assertThat(rest.get("history"))
        .extracting(t -> t.get("client").asString())
        .containsExactly("a");
    assertThat(rest.get("next").isNull()).isTrue();
    assertThat(get(history + "?at=2000-01-01T00:00:00Z").json().get("history")).isEmpty();
    assertThat(get(history + "?at=yesterday").detail())
        .isEqualTo("at is \"yesterday\": expected a time as in 2026-11-21T12:00:00Z");
    assertThat(get(history + "?at=%2B300000-01-01T00:00:00Z").detail())
        .isEqualTo("at is \"+300000-01-01T00:00:00Z\": expected a time as in 2026-11-21T12:00:00Z");
    assertThat(get(history + "?value=2").detail()).isEqualTo("pool \"told\" has no value \"2\"");
    assertThat(delete(history, null).status).isEqualTo(400);
    assertThat(delete(history + "?ended_before=2999-01-01T00:00:00Z", null).json().toString())
        .isEqualTo("{\"pruned\":2}");
    assertThat(get(history).json().get("history")).hasSize(1);
  }

  @Test
  void valuesRestAsLongAsAnOperatorSays() {
    createRange("resting", "1..5", "");
    post("/v1/pools/resting/claims", "{\"client\": \"a\", \"value\": \"1\"}");
    String quarantine = "/v1/pools/resting/quarantine";

    Answer some = post(quarantine, "{\"values\": [\"1\", \"2\"], \"for\": \"1h\"}");

    assertThat(some.status).isEqualTo(200);
    assertThat(some.json().get("held").get(0).asString()).isEqualTo("1");
    assertThat(some.json().get("quarantined").get(0).get("value").asString()).isEqualTo("2");
    assertThat(post(quarantine, "{\"all\": true, \"for\": \"1d\"}").status).isEqualTo(204);
    assertThat(get("/v1/pools/resting").json().get("quarantined").asInt()).isEqualTo(4);
    assertThat(post(quarantine, "{\"all\": true}").detail()).startsWith("for is missing");
    assertThat(post(quarantine, "{\"for\": \"1d\"}").detail())
        .isEqualTo("expected either values or all");
    assertThat(post(quarantine, "{\"values\": [\"6\"], \"for\": \"1d\"}").detail())
        .isEqualTo("pool \"resting\" has no value \"6\"");
    assertThat(post(quarantine, "{\"all\": true, \"for\": \"0s\"}").status).isEqualTo(400);
  }

  @Test
  void aClaimIsFoundByTheIpv6AddressThatEmbedsIt() {
    create(
        "six", "10.66.0.0/24", ", \"ipv6\": {\"prefix\": \"2001:db8::/96\", \"embed\": \"ipv4\"}");
    createRange("none", "1..2", "");
    Answer claim = post("/v1/pools/six/claims", "{\"client\": \"a\"}");
    String claims = "/v1/pools/six/claims?ipv6=";

    JsonNode found = get(claims + claim.json().get("ipv6").asString()).json();

    assertThat(found.get("claims").get(0)).isEqualTo(claim.json());
    assertThat(get(claims + "2001:db8::1").json().get("claims")).isEmpty();
    assertThat(get(claims + "2001:db9::1").status).isEqualTo(400);
    assertThat(get(claims + "2001:db8::1&client=a").status).isEqualTo(400);
    assertThat(get("/v1/pools/none/claims?ipv6=::1").detail())
        .isEqualTo("pool \"none\" gives its claims no IPv6 addresses");
  }

  @Test
  void countsOfAVastPoolAreExact() {
    create("vast", "2001:db8:1::/64", "");
    post("/v1/pools/vast/claims", "{\"client\": \"a\"}");
    String deep = "2001:db8:1::3fff:ffff:ffff:ffff";

    JsonNode vast = get("/v1/pools/vast").json();
    JsonNode map = get("/v1/pools/vast/map?value=" + deep + "&limit=4096").json();

    assertThat(vast.get("capacity").toString()).isEqualTo("18446744073709551616");
    assertThat(vast.get("free").toString()).isEqualTo("18446744073709551615");
    assertThat(map.get("from").toString()).isEqualTo("4611686018427383808");
    assertThat(map.get("blocks").get(0).get("block").asString()).startsWith("2001:db8:1::/6");
    assertThat(get("/v1/pools/vast/map?value=2001:db8:2::1").status).isEqualTo(400);
  }

  @Test
  void listsAndRunsAreDeclaredAndShown() {
    String list = "{\"name\": \"codes\", \"values\": [\"B\", \"A\", \"C\"]}";
    Answer listed = post("/v1/pools", "{\"name\": \"vouchers\", \"lists\": [%s]}".formatted(list));
    Answer runs = post("/v1/pools", "{\"name\": \"runs\", \"range\": \"1..100 by 30\"}");
    Answer run = post("/v1/pools/runs/claims", "{\"client\": \"a\"}");
    Answer map = get("/v1/pools/vouchers/map?value=A");

    assertThat(listed.status).isEqualTo(201);
    assertThat(listed.json().get("lists").toString()).isEqualTo("[\"codes\"]");
    assertThat(map.json().get("blocks").get(0).get("values").toString())
        .isEqualTo("[\"B\",\"A\",\"C\"]");
    assertThat(runs.json().get("blocks").toString()).isEqualTo("[\"1..100 by 30\"]");
    assertThat(runs.json().get("order").asString()).isEqualTo("ascending");
    assertThat(run.json().get("value").asString()).isEqualTo("1..30");
    assertThat(get(run.header("Location")).json()).isEqualTo(run.json());
    assertThat(post("/v1/pools", "{\"name\": \"a\", \"lists\": [{}]}").detail())
        .isEqualTo("list: expected name and values");
    assertThat(post("/v1/pools", "{\"name\": \"a\", \"range\": \"1\", \"order\": \"up\"}").detail())
        .isEqualTo("order is \"up\": expected random or ascending");
  }

  @Test
  void aValueOfAListMayHaveSlashesAndIsReleasedByItsPath() {
    String list = "{\"name\": \"n\", \"values\": [\"a/b\\\\c d%2F;e\"]}";
    assertThat(post("/v1/pools", "{\"name\": \"slashes\", \"lists\": [%s]}".formatted(list)).status)
        .isEqualTo(201);

    Answer granted = post("/v1/pools/slashes/claims", "{\"client\": \"a\"}");
    String path = granted.header("Location");

    assertThat(path).isEqualTo("/v1/pools/slashes/claims/a%2Fb%5Cc%20d%252F%3Be");
    assertThat(get(path).json()).isEqualTo(granted.json());
    assertThat(delete(path, granted.header("ETag")).status).isEqualTo(204);
  }

  @Test
  void aPathThatCannotBeReadIsAProblem() {
    Answer answer = get("/v1/pools/a%00b");

    assertThat(answer.status).isEqualTo(400);
    assertThat(answer.detail()).isNotEmpty();
  }

  @Test
  void aPoolThatIsCreatedAnewElsewhereIsListedAndOneThatIsDeletedIsNot() {
    create("anew", "10.9.1.0/30", "");
    create("vanished", "10.9.2.0/30", "");
    try (Pools others = Pools.over(database.connectionPool("others", 1))) {
      others.delete("anew");
      others.create(PoolSpec.of("anew", List.of(Block.parse("10.9.3.0/30"))));
      others.delete("vanished");
    }

    Answer listed = get("/v1/pools");

    assertThat(listed.status).isEqualTo(200);
    assertThat(listed.json().get("pools").valueStream().map(pool -> pool.get("name").asString()))
        .contains("anew")
        .doesNotContain("vanished");
    assertThat(get("/v1/pools/anew").json().get("blocks").toString())
        .isEqualTo("[\"10.9.3.0/30\"]");
  }

  @Test
  void theMapIsSentAgainOnlyWhenItHasChanged() {
    create("mapped", "10.6.0.0/30", "");
    String path = "/v1/pools/mapped/map";
    Answer before = get(path);

    assertThat(before.json().get("states").asString()).isEqualTo("ff");
    assertThat(conditionalGet(path, before.header("ETag")).status).isEqualTo(304);

    post("/v1/pools/mapped/claims", "{\"client\": \"a\"}");
    Answer after = conditionalGet(path, before.header("ETag"));
    assertThat(after.status).isEqualTo(200);
    assertThat(after.json().get("states").asString()).containsOnlyOnce("h");
    assertThat(after.json().get("blocks").get(0).toString())
        .isEqualTo(
            "{\"block\":\"10.6.0.0/30\",\"from\":0,\"count\":2,\"first\":\"10.6.0.1\","
                + "\"values\":null}");
  }

  @Test
  void manyClientsAtOnceGetEachValueOnce() {
    create("rush", "10.7.0.0/27", "");

    List<CompletableFuture<HttpResponse<String>>> asked = new ArrayList<>();
    for (int i = 0; i < 300; i++) {
      asked.add(
          CLIENT.sendAsync(
              request("POST", "/v1/pools/rush/claims", "{\"client\": \"c" + i + "\"}").build(),
              BodyHandlers.ofString()));
    }
    List<HttpResponse<String>> answers = asked.stream().map(CompletableFuture::join).toList();
    answers.forEach(answer -> CONTRACT.check(answer, "{\"client\": \"c\"}"));

    List<String> values =
        answers.stream()
            .filter(answer -> answer.statusCode() == 201)
            .map(answer -> Json.MAPPER.readTree(answer.body()).get("value").asString())
            .toList();
    assertThat(values).hasSize(30).doesNotHaveDuplicates();
    assertThat(answers).filteredOn(answer -> answer.statusCode() == 409).hasSize(270);
  }

  /** So it is sent in one write. */
  @Test
  void anAnswerThatFitsIntoTheBufferHasALength() {
    for (Answer answer :
        List.of(get("/livez"), get("/v1/pools/absent"), post("/v1/ids", "{\"kind\": \"ulid\"}"))) {
      assertThat(answer.header("Content-Length"))
          .isEqualTo(Integer.toString(answer.response.body().length()));
    }
  }

  @Test
  void aConnectionIsKeptForAThousandRequests() throws IOException {
    URI uri = URI.create("http://127.0.0.1:%s/v1/ids".formatted(server.port()));
    byte[] mint = KeptConnection.post(uri.getAuthority(), uri.getPath(), "{\"kind\": \"ulid\"}");

    int requests = 0;
    try (KeptConnection connection = KeptConnection.to(uri)) {
      while (!connection.isOver()) {
        assertThat(connection.send(mint).status()).isEqualTo(200);
        requests++;
      }
    }

    assertThat(requests).isEqualTo(1_000);
  }

  @Test
  void servesItsContract() throws IOException {
    Answer answer = get("/openapi.json");

    assertThat(answer.header("Content-Type")).isEqualTo("application/json");
    try (InputStream document = ServerTest.class.getResourceAsStream(ContractTest.DOCUMENT)) {
      assertThat(answer.response.body())
          .isEqualTo(new String(document.readAllBytes(), StandardCharsets.UTF_8));
    }
  }

  @Test
  void everyProblemHasItsCode() {
    createRange("coded", "1..2", ", \"per_owner\": 1");
    String claims = "/v1/pools/coded/claims";
    String claim = "{\"client\": \"%s\", \"owner\": \"%s\"}";
    Answer held = post(claims, "{\"client\": \"a\", \"owner\": \"o\", \"value\": \"1\"}");
    String path = held.header("Location");

    assertThat(post(claims, claim.formatted("b", "o")).code()).isEqualTo("quota-reached");
    assertThat(post(claims, "{\"client\": \"b\", \"owner\": \"p\", \"value\": \"1\"}").code())
        .isEqualTo("value-taken");
    assertThat(post(claims, claim.formatted("b", "p")).status).isEqualTo(201);
    assertThat(post(claims, claim.formatted("c", "q")).code()).isEqualTo("pool-exhausted");
    assertThat(delete(path, null).code()).isEqualTo("precondition-required");
    assertThat(delete(path, "7").code()).isEqualTo("invalid-request");
    assertThat(delete(path, "\"999999\"").code()).isEqualTo("token-superseded");
    assertThat(get(claims + "/9").code()).isEqualTo("claim-not-found");
    assertThat(delete("/v1/pools/coded", null).code()).isEqualTo("pool-in-use");
    assertThat(post("/v1/pools/coded/blocks", "{\"block\": \"11..12\"}").status).isEqualTo(201);
    assertThat(delete("/v1/pools/coded/blocks?block=11..12", null).code())
        .isEqualTo("block-in-use");
    assertThat(delete("/v1/pools/coded/blocks?block=9", null).code()).isEqualTo("block-not-found");
    assertThat(delete(path, held.header("ETag")).status).isEqualTo(204);
    assertThat(get(path).code()).isEqualTo("claim-not-found");
    assertThat(get("/v1/pools/nowhere").code()).isEqualTo("pool-not-found");
    assertThat(get("/v1/nowhere").code()).isEqualTo("path-not-found");
    assertThat(send("PUT", "/v1/pools/coded", null, null).code()).isEqualTo("method-not-allowed");
    assertThat(post("/v1/pools", "{\"name\": \"coded\", \"range\": \"1\"}").code())
        .isEqualTo("pool-exists");
    assertThat(post("/v1/ids", "{\"kidn\": \"ulid\"}").code()).isEqualTo("unknown-key");
    assertThat(post("/v1/ids", "{\"count\": \"x\"}").code()).isEqualTo("wrong-type");
    assertThat(post("/v1/ids", "{").code()).isEqualTo("malformed-json");
    assertThat(post("/v1/ids", "").code()).isEqualTo("missing-body");
    assertThat(post("/v1/ids", "{\"kind\": \"uuidv9\"}").code()).isEqualTo("invalid-request");
    assertThat(post("/v1/ids", "{\"kind\": \"%s\"}".formatted("x".repeat(70_000))).code())
        .isEqualTo("body-too-large");
    assertThat(get("/v1/puris?id=a:b").code()).isEqualTo("malformed-identifier");
    assertThat(get("/v1/pools/a%00b").code()).isEqualTo("malformed-request");
    assertThat(send(request("GET", "/v1/pools", null).header("Accept", "image/png"), null).code())
        .isEqualTo("not-acceptable");
    assertThat(
            send(request("POST", "/v1/ids", "x").setHeader("Content-Type", "text/csv"), "x").code())
        .isEqualTo("unsupported-media-type");
  }

  @Test
  void aParameterThatAnOperationDoesNotHaveIsRefused() {
    createRange("strictly", "1..3", "");
    String claims = "/v1/pools/strictly/claims";

    Answer unknown = get(claims + "?clinet=a");

    assertThat(unknown.status).isEqualTo(400);
    assertThat(unknown.code()).isEqualTo("unknown-parameter");
    assertThat(unknown.detail())
        .isEqualTo(
            "unknown parameter \"clinet\": known are client, client_prefix,"
                + " owner, owner_prefix, label, label_prefix, after, excluded, ipv6, limit");
    assertThat(get("/v1/pools?name=strictly").detail())
        .isEqualTo("unknown parameter \"name\": this operation has no parameters");
    assertThat(post(claims + "?lease=1h", "{\"client\": \"a\"}").code())
        .isEqualTo("unknown-parameter");
    assertThat(get("/v1/pools/strictly").json().get("held").asInt()).isZero();
    assertThat(get(claims + "?limit=1&limit=2").detail())
        .isEqualTo("parameter \"limit\" is given more than once");
    assertThat(get(claims + "?limit=1&limit=2").code()).isEqualTo("repeated-parameter");
    assertThat(get("/?from=elsewhere").status)
        .as("the console takes what it is given")
        .isEqualTo(200);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "claims  | limit  | x                    | an integer of 32 bits",
        "claims  | limit  | ''                   | an integer of 32 bits",
        "claims  | limit  | 0x10                 | an integer of 32 bits",
        "claims  | limit  | %2B1                 | an integer of 32 bits",
        "claims  | limit  | 2147483648           | an integer of 32 bits",
        "claims  | limit  | %D9%A1               | an integer of 32 bits",
        "history | before | 1e3                  | an integer of 64 bits",
        "history | before | 9223372036854775808  | an integer of 64 bits",
        "map     | from   | ''                   | an integer of 64 bits",
        "map     | from   | -9223372036854775809 | an integer of 64 bits",
      })
  void aNumberInAParameterIsWrittenInDecimal(
      String resource, String name, String text, String expected) {
    Answer response = get("/v1/pools/any/%s?%s=%s".formatted(resource, name, text));

    assertThat(response.code()).isEqualTo("wrong-type");
    assertThat(response.detail())
        .isEqualTo(
            "parameter \"%s\" is \"%s\": expected %s"
                .formatted(name, URLDecoder.decode(text, StandardCharsets.UTF_8), expected));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "1", "yes", "on", "TRUE"})
  void aParameterIsTrueOnlyIfItSaysSo(String text) {
    Answer response = delete("/v1/pools/any?force=" + text, null);

    assertThat(response.detail())
        .isEqualTo("parameter \"force\" is \"%s\": expected true or false".formatted(text));
  }

  @ParameterizedTest
  @ValueSource(strings = {"force=yes", "forse=true", "force=false&force=true"})
  void theParametersOfAFormAreChecked(String query) {
    createRange("checked", "1..3", "");

    Answer refused = deleteWithForm("/v1/pools/checked?" + query, "");

    assertThat(refused.status).as(refused.response.body()).isEqualTo(400);
    assertThat(delete("/v1/pools/checked", null).status).as("it is still there").isEqualTo(204);
  }

  @Test
  void theKeysOfAFormAreNoParameters() {
    createRange("in-use", "1..3", "");
    post("/v1/pools/in-use/claims", "{\"client\": \"a\"}");

    assertThat(deleteWithForm("/v1/pools/in-use", "force=true").code()).isEqualTo("pool-in-use");
    assertThat(get("/v1/pools/in-use").json().get("held").asInt()).isOne();
  }

  private static Answer deleteWithForm(String path, String body) {
    return send(
        request("DELETE", path, body)
            .setHeader("Content-Type", "application/x-www-form-urlencoded"),
        null);
  }

  @Test
  void aFormIsRejectedForItsContentType() {
    String body = "{\"client\": \"a\"}";
    HttpRequest.Builder form =
        request("POST", "/v1/pools/any/claims", body)
            .setHeader("Content-Type", "application/x-www-form-urlencoded");

    assertThat(send(form, body).code()).isEqualTo("unsupported-media-type");
  }

  @Test
  void aRequestThatTomcatRejectsIsAProblem() throws IOException {
    String get = "GET /v1/ids?id=a%zz HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";

    assertThat(raw(get)).startsWith("HTTP/1.1 400").contains("\"code\":\"malformed-request\"");
    assertThat(send("TRACE", "/v1/pools", null, null).code()).isEqualTo("method-not-allowed");
  }

  @Test
  void aClaimThatArrivesInOnePieceIsGranted() throws IOException {
    createRange("piece", "1..9", "");
    String claim =
        """
        POST /v1/pools/piece/claims HTTP/1.1
        Host: localhost
        Connection: close
        Content-Type: application/json
        Content-Length: 14

        {"client":"a"}"""
            .replace("\n", "\r\n");

    assertThat(raw(claim)).startsWith("HTTP/1.1 201").contains("\"client\":\"a\"");
  }

  /** Otherwise Tomcat reports the threads of pools as leaks when the server stops. */
  @Test
  void threadsThatARequestStartsHaveTheClassLoaderOfTheProgram() {
    createRange("threads", "1..9", "");

    assertThat(claim("threads", "a", "acme").status).isEqualTo(201);

    assertThat(Thread.getAllStackTraces().keySet())
        .filteredOn(thread -> !thread.getName().startsWith("http-nio"))
        .noneMatch(
            thread -> thread.getContextClassLoader() instanceof TomcatEmbeddedWebappClassLoader);
  }

  private static String raw(String request) throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
      return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }
  }

  @Test
  void anIdentifierWithACommaIsOne() {
    assertThat(get("/v1/ids?id=a,b").json().get(0).get("input").asString()).isEqualTo("a,b");
    assertThat(get("/v1/ids?id=a,b&id=c").json()).hasSize(2);
  }

  @Test
  void servesTheConsoleAndNothingFromElsewhere() {
    Answer page = get("/");

    assertThat(page.status).isEqualTo(200);
    assertThat(page.header("Content-Type")).startsWith("text/html");
    assertThat(page.header("Content-Security-Policy")).startsWith("default-src 'self'");
    assertThat(get("/nowhere").detail()).isNotEmpty();
  }

  @Test
  void refusesARequestThatIsAddressedToAnotherHost() throws IOException {
    try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), server.port())) {
      socket
          .getOutputStream()
          .write(
              "GET /v1/pools HTTP/1.1\r\nHost: evil.example\r\nConnection: close\r\n\r\n"
                  .getBytes(StandardCharsets.US_ASCII));

      String answer = new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);

      assertThat(answer).startsWith("HTTP/1.1 403").contains("must name this machine");
    }
  }

  private static void create(String name, String block, String more) {
    String body = "{\"name\": \"%s\", \"blocks\": [\"%s\"]%s}".formatted(name, block, more);
    assertThat(post("/v1/pools", body).status).isEqualTo(201);
  }

  private static void createRange(String name, String range, String more) {
    String body = "{\"name\": \"%s\", \"range\": \"%s\"%s}".formatted(name, range, more);
    assertThat(post("/v1/pools", body).status).isEqualTo(201);
  }

  private static Answer get(String path) {
    return send("GET", path, null, null);
  }

  private static Answer post(String path, String body) {
    return send("POST", path, body, null);
  }

  private static Answer patch(String path, String body) {
    return send("PATCH", path, body, null);
  }

  private static Answer put(String path, String body) {
    return send("PUT", path, body, null);
  }

  private static Answer claim(String pool, String client, String owner) {
    return post(
        "/v1/pools/" + pool + "/claims",
        "{\"client\": \"%s\", \"owner\": \"%s\"}".formatted(client, owner));
  }

  private static Answer delete(String path, @Nullable String ifMatch) {
    return send("DELETE", path, null, ifMatch);
  }

  private static Answer conditionalGet(String path, String tag) {
    return send(request("GET", path, null).header("If-None-Match", tag), null);
  }

  private static Answer send(
      String method, String path, @Nullable String body, @Nullable String ifMatch) {
    HttpRequest.Builder request = request(method, path, body);
    if (ifMatch != null) {
      request.header("If-Match", ifMatch);
    }
    return send(request, body);
  }

  private static HttpRequest.Builder request(String method, String path, @Nullable String body) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
        .header("Content-Type", "application/json")
        .method(method, body == null ? BodyPublishers.noBody() : BodyPublishers.ofString(body));
  }

  /** Sends a request, and checks it and the response against the contract. */
  private static Answer send(HttpRequest.Builder request, @Nullable String body) {
    try {
      HttpResponse<String> response = CLIENT.send(request.build(), BodyHandlers.ofString());
      CONTRACT.check(response, body);
      return new Answer(response.statusCode(), response);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IllegalStateException(e);
    }
  }
}
