package dev.mintmark.verify;

import static java.util.concurrent.CompletableFuture.allOf;
import static java.util.concurrent.CompletableFuture.runAsync;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Inspector;
import dev.mintmark.Puri;
import dev.mintmark.fixtures.Conformance;
import dev.mintmark.fixtures.Conformance.Operation;
import dev.mintmark.fixtures.Conformance.Surface;
import dev.mintmark.fixtures.RandomId;
import dev.mintmark.fixtures.RandomIds;
import dev.mintmark.fixtures.RandomIds.Comparison;
import dev.mintmark.fixtures.ThreadPerTask;
import dev.mintmark.verify.Mintmark.Outcome;
import java.io.BufferedWriter;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The command line and HTTP agree with Java on all values of {@link RandomIds}. */
@Tag("matrix")
class RandomConformanceIT {
  /** Identifiers of one request. */
  private static final int IDS = 100;

  /** Requests at the same time, so that the server works while answers are compared. */
  private static final int CLIENTS = 4;

  private static final HttpClient CLIENT = HttpClient.newHttpClient();

  private final Path directory;
  private final Mintmark mintmark;

  RandomConformanceIT(@TempDir Path directory) {
    this.directory = directory;
    this.mintmark = Mintmark.in(directory);
  }

  @BeforeEach
  void writeCatalog() throws IOException {
    Files.writeString(
        directory.resolve("catalog.yaml"),
        """
        namespace: bobsburgers
        collections:
          tracks: { kind: ulid }
        """);
  }

  @Test
  void commandLineConvertsAsJava() throws IOException {
    Function<RandomId, String> uuid = id -> id.uuid().toString();

    assertConverted("--from uuid --to text", 0, uuid, RandomId::text);
    assertConverted("--from text --to uuid", 0, RandomId::text, uuid);
    assertConverted(
        "--from text --to time",
        0,
        RandomId::text,
        id ->
            Inspection.of(id.text(), Inspector.inspect(id.text()))
                .readings()
                .get(0)
                .time()
                .orElse(""));
    assertConverted(
        "--to puri --collection tracks --catalog catalog.yaml",
        0,
        RandomId::text,
        id -> Puri.of("bobsburgers", "tracks", id.text()).toString());
    assertConverted(
        "--from text --to uuid",
        1,
        id -> id.damaged().get(0).replace("\n", "?"),
        id -> id.read().get(0) == null ? "" : String.valueOf(id.read().get(0)));

    Conformance.of(Surface.COMMAND_LINE, "")
        .values(
            Operation.FORMAT, Operation.PARSE, Operation.REJECT, Operation.TIME, Operation.PURI);
  }

  private void assertConverted(
      String options,
      int status,
      Function<RandomId, String> line,
      Function<RandomId, String> expected)
      throws IOException {
    Path in = directory.resolve("in.txt");
    Path out = directory.resolve("out.txt");
    try (BufferedWriter lines = Files.newBufferedWriter(in)) {
      RandomIds.forEachBatch(
          batch -> {
            for (RandomId id : batch) {
              lines.write(line.apply(id) + "\n");
            }
          });
    }

    Outcome outcome =
        mintmark.shell("\"$0\" convert %s < %s > %s 2> err.txt".formatted(options, in, out));

    assertThat(outcome.status()).as(options).isEqualTo(status);
    try (Stream<String> lines = Files.lines(out)) {
      Iterator<String> results = lines.iterator();
      RandomIds.forEachBatch(
          batch -> {
            for (RandomId id : batch) {
              assertThat(results.next()).as("%s of %s", options, id).isEqualTo(expected.apply(id));
            }
          });
      assertThat(results.hasNext()).isFalse();
    }
  }

  @Test
  void serverReadsAsJava() {
    try (RunningServer server =
        RunningServer.start(
            mintmark, directory.resolve("data"), directory.resolve("catalog.yaml"))) {
      RandomIds.forEachBatch(
          batch ->
              atTheSameTime(
                  parts(batch, batch.size() / CLIENTS + 1),
                  part -> {
                    for (List<RandomId> ids : parts(part, IDS)) {
                      assertInspected(server, ids);
                      assertDamagedInspected(server, ids);
                      assertPurisRead(server, ids);
                    }
                  }));
    }
    Conformance.of(Surface.HTTP, "")
        .values(
            Operation.FORMAT,
            Operation.PARSE,
            Operation.REJECT,
            Operation.TIME,
            Operation.PURI,
            Operation.INSPECT);
  }

  /** Returns consecutive parts of a list, each of this size but the last. */
  private static <T> List<List<T>> parts(List<T> list, int size) {
    return IntStream.iterate(0, first -> first < list.size(), first -> first + size)
        .mapToObj(first -> list.subList(first, Math.min(first + size, list.size())))
        .toList();
  }

  /** Compares each part in a thread of its own. */
  private static void atTheSameTime(List<List<RandomId>> parts, Comparison comparison) {
    allOf(
            parts.stream()
                .map(part -> runAsync(() -> compare(comparison, part), ThreadPerTask.EXECUTOR))
                .toArray(CompletableFuture[]::new))
        .join();
  }

  private static void compare(Comparison comparison, List<RandomId> ids) {
    try {
      comparison.compare(ids);
    } catch (Exception e) {
      throw new IllegalStateException(e);
    }
  }

  private static void assertInspected(RunningServer server, List<RandomId> ids)
      throws IOException, InterruptedException {
    List<String> inputs = inputs(ids, id -> List.of(id.text(), id.uuid().toString(), id.typeId()));

    List<Inspection> inspected = inspect(server, inputs);

    assertThat(inspected).isEqualTo(inJava(inputs));
    for (int i = 0; i < ids.size(); i++) {
      assertThat(inspected.get(i).readings().get(0).forms())
          .as(inputs.get(i))
          .containsEntry("text", ids.get(i).text())
          .containsEntry("uuid", ids.get(i).uuid().toString());
    }
  }

  private static void assertDamagedInspected(RunningServer server, List<RandomId> ids)
      throws IOException, InterruptedException {
    List<String> damaged = inputs(ids, RandomId::damaged);

    assertThat(inspect(server, damaged)).isEqualTo(inJava(damaged));
  }

  private static void assertPurisRead(RunningServer server, List<RandomId> ids)
      throws IOException, InterruptedException {
    List<String> puris = ids.stream().map(RandomId::puri).toList();

    List<JsonNode> read = get(server, "/v1/puris", puris);

    assertThat(read.stream().map(puri -> puri.path("identifier").stringValue()))
        .isEqualTo(ids.stream().map(RandomId::segment).toList());
    assertThat(read.stream().map(puri -> puri.path("canonical").stringValue())).isEqualTo(puris);
  }

  private static List<Inspection> inspect(RunningServer server, List<String> inputs)
      throws IOException, InterruptedException {
    return get(server, "/v1/ids", inputs).stream().map(Inspection::of).toList();
  }

  /** Not through {@link HttpApi}, which checks each response against the contract. */
  private static List<JsonNode> get(RunningServer server, String path, List<String> ids)
      throws IOException, InterruptedException {
    String query =
        ids.stream()
            .map(id -> "id=" + HttpApi.encode(id))
            .collect(Collectors.joining("&", path + "?", ""));
    HttpResponse<String> answer =
        CLIENT.send(
            HttpRequest.newBuilder(server.console().resolve(query)).build(),
            BodyHandlers.ofString());
    assertThat(answer.statusCode()).as("%s%n%s", query, answer.body()).isEqualTo(200);
    return JsonMapper.shared().readTree(answer.body()).valueStream().toList();
  }

  private static List<Inspection> inJava(List<String> inputs) {
    return inputs.stream().map(id -> Inspection.of(id, Inspector.inspect(id))).toList();
  }

  /** One text of each value, in turn. A line break would make two identifiers of one. */
  private static List<String> inputs(List<RandomId> ids, Function<RandomId, List<String>> texts) {
    return IntStream.range(0, ids.size())
        .mapToObj(i -> texts.apply(ids.get(i)).get(i % 3).replace("\n", "?"))
        .toList();
  }
}
