package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.operations.migrate.RefusalCode;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** The codes of refusals, and the page that lists them with cause and remedy. */
class RefusalCodesTest {
  private static final Pattern SECTION =
      Pattern.compile(
          "^## Refusals of `migrate plan`\n(.*?)(?=^## |\\z)", Pattern.MULTILINE | Pattern.DOTALL);

  private static final Pattern ROW =
      Pattern.compile("^\\| `([a-z0-9-]+)` \\| [^|]+[.] \\| [^|]+ \\|$", Pattern.MULTILINE);

  @Test
  void everyCodeIsOnThePageInTheSameOrder() throws IOException {
    String page = Files.readString(Checkout.root().resolve("docs/errors.md"));
    List<String> listed =
        SECTION
            .matcher(page)
            .results()
            .flatMap(section -> ROW.matcher(section.group(1)).results())
            .map(row -> row.group(1))
            .toList();

    assertThat(listed)
        .containsExactlyElementsOf(
            Arrays.stream(RefusalCode.values()).map(RefusalCode::label).toList());
  }
}
