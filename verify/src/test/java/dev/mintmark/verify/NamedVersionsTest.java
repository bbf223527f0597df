package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Where a document names a version of Mintmark, it is that of the poms: .ci/set-version. */
class NamedVersionsTest {
  /** A coordinate, a jar, or the element after an artifact of ours. */
  private static final Pattern NAMED =
      Pattern.compile(
          "(?:mintmark(?:-[a-z]+)*[:-]|<artifactId>mintmark-[a-z-]+</artifactId>\\s*<version>)"
              + "(?<version>\\d+\\.\\d+\\.\\d+(?:-SNAPSHOT)?)");

  @Test
  void isThatOfThePoms() {
    String version = Pom.of(".").texts("/project/version").get(0);
    List<String> named = new ArrayList<>();
    for (Page document : documents()) {
      Matcher matcher = NAMED.matcher(document.text());
      while (matcher.find()) {
        assertThat(matcher.group("version"))
            .as("%s: %s", document.path(), matcher.group())
            .isEqualTo(version);
        named.add(matcher.group());
      }
    }
    assertThat(named).hasSizeGreaterThan(10);
    assertThat(Pom.of("bom").texts("/project/version")).containsExactly(version);
  }

  private static List<Page> documents() {
    Stream<Page> manifests =
        Sources.MAIN.files(".yaml").stream()
            .map(file -> new Page(Checkout.root().relativize(file).toString()));
    return Stream.concat(Page.all().stream(), manifests).toList();
  }
}
