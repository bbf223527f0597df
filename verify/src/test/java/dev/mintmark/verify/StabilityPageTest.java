package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** docs/stability.md lists what is marked as experimental. */
class StabilityPageTest {
  private static final Pattern MARKED =
      Pattern.compile("@Experimental\\s+public (?:[a-z]+ )*(?:class|record|interface|enum) (\\w+)");

  private static final Pattern LISTED = Pattern.compile("`([A-Z]\\w+)`");

  @Test
  void thePageListsWhatIsExperimental() {
    List<String> marked =
        Sources.MAIN.texts(".java").stream()
            .flatMap(source -> MARKED.matcher(source).results())
            .map(found -> found.group(1))
            .toList();
    String page = new Page("docs/stability.md").text();
    String list = page.substring(page.indexOf("\n- "));

    assertThat(marked).isNotEmpty();
    assertThat(LISTED.matcher(list).results().map(found -> found.group(1)))
        .containsExactlyInAnyOrderElementsOf(marked);
  }
}
