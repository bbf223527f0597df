package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/stability.md lists what is marked as experimental. */
class StabilityPageTest {
  private static final Pattern MARKED =
      Pattern.compile("@Experimental\\s+public (?:[a-z]+ )*(?:class|record|interface|enum) (\\w+)");

  private static final Pattern LISTED = Pattern.compile("`([A-Z]\\w+)`");

  @Test
  void thePageListsWhatIsExperimental() throws IOException {
    Set<String> marked = new TreeSet<>();
    for (String library : PublicApi.LIBRARIES) {
      for (Path source : sources(library)) {
        Matcher matcher = MARKED.matcher(Files.readString(source));
        while (matcher.find()) {
          marked.add(matcher.group(1));
        }
      }
    }
    String page = new Page("docs/stability.md").text();
    String list = page.substring(page.indexOf("\n- "));

    assertThat(marked).isNotEmpty();
    assertThat(LISTED.matcher(list).results().map(found -> found.group(1)))
        .containsExactlyInAnyOrderElementsOf(marked);
  }

  private static Set<Path> sources(String library) throws IOException {
    try (Stream<Path> files =
        Files.walk(Checkout.root().resolve(library).resolve("src/main/java"))) {
      return files
          .filter(file -> file.toString().endsWith(".java"))
          .collect(Collectors.toCollection(TreeSet::new));
    }
  }
}
