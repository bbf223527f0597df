package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Scheme;
import java.time.ZoneOffset;
import java.util.Arrays;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The last years in docs/limits.md are those that {@code mintmark compare} computes. */
class LimitsPageTest {
  @Test
  void everyKindWithATimeHasItsLastYear() {
    Map<String, Integer> shown =
        Pattern.compile("\\| `(.*?)` \\| (\\d+) \\|")
            .matcher(new Page("docs/limits.md").text())
            .results()
            .collect(Collectors.toMap(row -> row.group(1), row -> Integer.valueOf(row.group(2))));

    Map<String, Integer> computed =
        Arrays.stream(Scheme.values())
            .filter(scheme -> scheme.lastTime().isPresent())
            .filter(scheme -> !scheme.label().matches("(ulid|uuidv7) (ascending|spec|microsecond)"))
            .collect(
                Collectors.toMap(
                    Scheme::label,
                    scheme -> scheme.lastTime().get().atZone(ZoneOffset.UTC).getYear()));
    assertThat(shown).isEqualTo(computed);
  }
}
