package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.Conformance;
import dev.mintmark.fixtures.Conformance.Operation;
import dev.mintmark.fixtures.Conformance.Surface;
import dev.mintmark.verify.HttpApi.Answer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** pURIs through the whole program: the catalog of the vectors is served, and says what they do. */
class PurisIT {
  /** What the program and the vector both say, in the same words. */
  private static final List<String> MEMBERS =
      List.of(
          "input",
          "namespace",
          "collection",
          "identifier",
          "canonical",
          "compact",
          "known",
          "stored");

  private static Mintmark mintmark;
  private static Path directory;
  private static RunningServer server;

  /** The vectors that the server read, or rejected, as they say. */
  private static int compared;

  @BeforeAll
  static void start(@TempDir Path temporary) {
    directory = temporary;
    mintmark = Mintmark.in(directory);
    server =
        RunningServer.start(
            mintmark, directory.resolve("data"), Checkout.vectors().resolve("puris-catalog.json"));
  }

  @AfterAll
  static void stop() {
    server.close();
    Conformance.of(Surface.HTTP, "").vectors(Operation.PURI, compared);
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.verify.Vectors#declaredPuris")
  void aVectorIsWhatItSays(JsonNode vector) {
    JsonNode puri = read(Vectors.input(vector));

    for (String member : MEMBERS) {
      assertThat(puri.path(member)).as(member).isEqualTo(vector.required(member));
    }
    assertThat(puri.path("warning").isNull()).isEqualTo(!vector.path("stored").isNull());
    assertThat(canonical(vector.path("equal"))).allMatch(puri.path("canonical")::equals);
    assertThat(canonical(vector.path("unequal"))).noneMatch(puri.path("canonical")::equals);
    compared++;
  }

  @ParameterizedTest
  @MethodSource("dev.mintmark.verify.Vectors#malformedPuris")
  void aMalformedOneIsAProblem(JsonNode vector) {
    Answer answer = server.get("/v1/puris?id=" + HttpApi.encode(Vectors.input(vector)));

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.contentType()).startsWith("application/problem+json");
    assertThat(answer.get("code")).isEqualTo("malformed-identifier");
    assertThat(answer.get("detail")).contains(vector.path("reason").stringValue());
    compared++;
  }

  @Test
  void thePageShowsTheAnswer() {
    String shown =
        new Page("docs/puris.md")
            .blocks("json").stream()
                .filter(block -> block.startsWith("[{\"input\""))
                .findFirst()
                .orElseThrow();

    assertThat(server.get("/v1/puris?id=b.p.123").json())
        .isEqualTo(JsonMapper.shared().readTree(shown));
  }

  @Test
  void theDescriptionTellsOfThem() {
    JsonNode operation = server.get("/openapi.json").json().at("/paths/~1v1~1puris/get");

    assertThat(operation.path("summary").asString()).isEqualTo("Read pURIs with the catalog");
    assertThat(operation.path("parameters").path(0).path("name").asString()).isEqualTo("id");
  }

  @Test
  void aCollectionNamedAfterASystemIsWarnedOf() throws IOException {
    Path catalog =
        Files.writeString(
            directory.resolve("warned.yaml"),
            """
            namespace: my-org
            collections:
              mybillingsystem-bills: { kind: text }
            """);
    RunningServer warned =
        RunningServer.start(
            mintmark,
            "--port",
            "0",
            "--database-url",
            server.databaseUrl(),
            "--catalog",
            catalog.toString());
    warned.signal("TERM");

    assertThat(warned.awaitEnd().errLines())
        .anySatisfy(
            line ->
                assertThat(line)
                    .startsWith("warning: " + catalog + ": collection \"mybillingsystem-bills\": ")
                    .contains("such as \"bills\""));
  }

  private static List<JsonNode> canonical(JsonNode inputs) {
    return inputs.valueStream().map(input -> read(input.stringValue()).path("canonical")).toList();
  }

  private static JsonNode read(String puri) {
    Answer answer = server.get("/v1/puris?id=" + HttpApi.encode(puri));
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    return answer.json().path(0);
  }
}
