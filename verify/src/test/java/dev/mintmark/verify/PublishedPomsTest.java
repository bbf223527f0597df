package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The poms of what is published: what is asked of them, and what is built before what. */
class PublishedPomsTest {
  /**
   * The modules inherit all but the first two from the root; the bill of materials has no parent.
   */
  @ParameterizedTest
  @ValueSource(strings = {".", "bom"})
  void hasWhatMavenCentralAsksFor(String module) {
    Pom pom = Pom.of(module);

    for (String element :
        List.of(
            "name",
            "description",
            "url",
            "licenses/license/name",
            "developers/developer/name",
            "scm/connection",
            "scm/developerConnection",
            "scm/url")) {
      assertThat(pom.texts("/project/" + element)).as(element).hasSize(1).doesNotContain("");
    }
  }

  @Test
  void everyModuleHasANameAndADescription() {
    for (String module : Pom.publishedModules()) {
      assertThat(Pom.of(module).texts("/project/name | /project/description"))
          .as(module)
          .hasSize(2)
          .doesNotContain("");
    }
  }

  /** Otherwise its Javadoc may be missing from the site: Maven builds several modules at a time. */
  @Test
  void theSiteIsBuiltAfterEveryModuleWithClasses() {
    List<String> modules = Pom.publishedModules();
    assertThat(before("site")).containsAll(modules.stream().filter(m -> !m.equals("bom")).toList());
  }

  /** Returns the directories of the modules that a module depends on, directly or not. */
  private static Set<String> before(String module) {
    List<String> all = Pom.of(".").texts("/project/modules/module");
    var byArtifact =
        all.stream()
            .collect(
                Collectors.toMap(
                    each -> Pom.of(each).texts("/project/artifactId").get(0), Function.identity()));
    Set<String> found = new HashSet<>();
    Deque<String> pending = new ArrayDeque<>(List.of(module));
    while (!pending.isEmpty()) {
      for (String artifact :
          Pom.of(pending.remove()).texts("/project/dependencies/dependency/artifactId")) {
        String each = byArtifact.get(artifact);
        if (each != null && found.add(each)) {
          pending.add(each);
        }
      }
    }
    return found;
  }
}
