package shop;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Keyring;
import dev.mintmark.fixtures.TestServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("database")
class MainTest {
  /** Only for this test. */
  private static final String SECRET = "a:Zm9yIHRoZSBkb2N1bWVudGF0aW9uIG9ubHksIG5vdCBhIGtleQ";

  @Test
  void printsWhatTheReadmeShows() throws Exception {
    ByteArrayOutputStream printed = new ByteArrayOutputStream();

    Main.run(
        TestServer.NEWEST.createDatabase().dataSource(),
        Keyring.parse(SECRET),
        new PrintStream(printed, true, StandardCharsets.UTF_8));

    String output = printed.toString(StandardCharsets.UTF_8);
    assertThat(output).contains("placed ord_a");
    assertThat(Files.readString(Path.of("README.md")))
        .contains(output.replaceAll("ord_\\w+", "ord_..."));
  }
}
