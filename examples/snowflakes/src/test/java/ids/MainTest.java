package ids;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.Patience;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("database")
class MainTest {
  private static final int INSTANCES = 3;
  private static final int COUNT = 20_000;

  @TempDir private Path directory;

  @Test
  @Tag("long")
  void noTwoInstancesPrintTheSameSnowflake() throws Exception {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    String url =
        "jdbc:postgresql://127.0.0.1:%d/%s?user=postgres"
            .formatted(database.port(), database.name());
    List<Process> instances = new ArrayList<>();
    for (int i = 0; i < INSTANCES; i++) {
      instances.add(start(url, directory.resolve("ids-" + i)));
    }

    List<String> ids = new ArrayList<>();
    for (int i = 0; i < INSTANCES; i++) {
      assertThat(instances.get(i).waitFor(Patience.MAX.toSeconds(), SECONDS)).isTrue();
      List<String> lines = Files.readAllLines(directory.resolve("ids-" + i));
      assertThat(instances.get(i).exitValue()).as(lines::toString).isZero();
      assertThat(lines.get(0)).matches("worker \\d+");
      ids.addAll(lines.subList(1, lines.size()));
    }
    assertThat(ids).hasSize(INSTANCES * COUNT).doesNotHaveDuplicates();
  }

  private static Process start(String url, Path output) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            "-cp",
            System.getProperty("java.class.path"),
            "ids.Main",
            url,
            Integer.toString(COUNT))
        .redirectOutput(output.toFile())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
