package dev.mintmark.catalog;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

/** The reader of pURIs for browsers. {@code app} runs it in Node.js, on the vectors. */
class PuriScriptTest {
  private static final Path READER = Path.of("src/main/resources/dev/mintmark/catalog/puri.js");
  private static final Path PRINTED = Path.of("src/test/resources/dev/mintmark/catalog/puris.js");

  @Test
  void readerIsSmall() throws IOException {
    assertThat(Files.size(READER)).isLessThanOrEqualTo(2048);
  }

  /** Written with {@code -Dmintmark.write=true}. */
  @Test
  void scriptOfTheVectorsIsTheOneThatIsTested() throws IOException {
    String script =
        PuriScript.of(CatalogReader.read(Path.of("../vectors/puris-catalog.json"))).text();
    if (Boolean.getBoolean("mintmark.write")) {
      Files.writeString(PRINTED, script);
    }

    assertThat(script).isEqualTo(Files.readString(PRINTED));
  }
}
