package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.http.OperationRules.Auditing;
import dev.mintmark.app.http.OperationRules.Rule;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/** Every operation of the document has a rule that says which scope it needs. */
class OperationRulesTest {
  private static final Set<String> CHANGING = Set.of("post", "put", "patch", "delete");

  /** They change nothing, or write their entry of the audit in their own transaction. */
  private static final Set<String> NOT_AUDITED_HERE =
      Set.of(
          "mintIds",
          "inspectText",
          "runDoctor",
          "planMigration",
          "planPoolChange",
          "createKey",
          "revokeKey",
          "signIn",
          "signOut");

  @ParameterizedTest
  @MethodSource("operations")
  void anOperationHasARule(String id, String method, String path, JsonNode operation) {
    Rule rule = OperationRules.find(id).orElseThrow(() -> new AssertionError("no rule for " + id));

    boolean isOpen = operation.has("security") && operation.path("security").isEmpty();
    assertThat(rule.isOpen()).as("security is [] only where no scope is needed").isEqualTo(isOpen);
    assertThat(operation.path("responses").has("401")).isEqualTo(!isOpen || id.equals("signIn"));
    assertThat(rule.variable())
        .isIn(path.contains("{pool}") ? List.of("pool") : List.of("", "collection"));
    if (CHANGING.contains(method) && !NOT_AUDITED_HERE.contains(id)) {
      assertThat(rule.auditing()).isNotEqualTo(Auditing.NONE);
    }
  }

  @ParameterizedTest
  @MethodSource("operations")
  void theDocumentationNamesItsScope(String id, String method, String path, JsonNode operation)
      throws IOException {
    Rule rule = OperationRules.find(id).orElseThrow(() -> new AssertionError("no rule for " + id));
    String scopes =
        rule.isOpen()
            ? "open"
            : rule.kinds().stream()
                .map(kind -> "`" + kind.label() + "`")
                .collect(Collectors.joining(" or "));
    String row =
        Files.readAllLines(Path.of("../docs/access.md")).stream()
            .filter(line -> line.startsWith("| ") && line.contains("`" + id + "`"))
            .findFirst()
            .orElseThrow(() -> new AssertionError("docs/access.md has no row with " + id));

    assertThat(row).endsWith("| " + scopes + " |");
  }

  static Stream<Arguments> operations() {
    return ContractTest.document().path("paths").properties().stream()
        .flatMap(
            path ->
                path.getValue().properties().stream()
                    .filter(operation -> !operation.getKey().equals("parameters"))
                    .map(operation -> arguments(path.getKey(), operation)));
  }

  private static Arguments arguments(String path, Map.Entry<String, JsonNode> operation) {
    return Arguments.of(
        operation.getValue().path("operationId").asString(),
        operation.getKey(),
        path,
        operation.getValue());
  }
}
