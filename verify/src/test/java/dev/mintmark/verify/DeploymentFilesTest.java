package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import dev.mintmark.DurationText;
import dev.mintmark.app.cli.MintmarkCommand;
import dev.mintmark.catalog.CatalogReader;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The files for systemd, containers and Kubernetes name options and paths that exist. */
class DeploymentFilesTest {
  private static final String DIRECTORY = "distribution/src/main/files/deploy/";

  /** The time for requests that have begun when the server stops. */
  private static final Duration REQUESTS_MAX = Duration.ofSeconds(5);

  private static final Pattern COMMAND =
      Pattern.compile("(?:mintmark:?\\S*|bin/mintmark) ((?:serve|key) [^\"\\n]*)");

  @Test
  void theUnitStartsTheServer() {
    String unit = new Page(DIRECTORY + "mintmark.service").text();
    String options = group(unit, "Environment=\"SERVE_OPTIONS=([^\"]+)\"");

    assertThat(group(unit, "ExecStart=/opt/mintmark/bin/mintmark (.*)"))
        .isEqualTo("serve $SERVE_OPTIONS");
    assertParses(List.of(("serve " + options).split(" ")));
    assertParses(List.of(("serve " + group(unit, "#   SERVE_OPTIONS=(.*)")).split(" ")));
  }

  @Test
  void theContainerStartsTheServer() {
    List<String> commands =
        COMMAND
            .matcher(new Page(DIRECTORY + "Dockerfile").text())
            .results()
            .map(found -> found.group(1))
            .toList();

    assertThat(commands).hasSizeGreaterThanOrEqualTo(2);
    commands.forEach(command -> assertParses(List.of(command.split(" "))));
  }

  @Test
  void theManifestsStartTheServerAndLetItDrain() {
    List<Map<?, ?>> manifests = new ArrayList<>();
    new Load(LoadSettings.builder().build())
        .loadAllFromString(new Page(DIRECTORY + "kubernetes.yaml").text())
        .forEach(manifest -> manifests.add((Map<?, ?>) manifest));

    assertThat(manifests.stream().map(manifest -> String.valueOf(manifest.get("kind"))))
        .containsExactly("ConfigMap", "Deployment", "Service", "PodDisruptionBudget");
    Map<?, ?> pod = map(map(map(manifests.get(1), "spec"), "template"), "spec");
    Map<?, ?> container =
        (Map<?, ?>) ((List<?>) Objects.requireNonNull(pod.get("containers"))).get(0);
    List<String> arguments =
        ((List<?>) Objects.requireNonNull(container.get("args")))
            .stream().map(String::valueOf).toList();
    assertParses(arguments);
    Duration drain = DurationText.parse(arguments.get(arguments.indexOf("--drain") + 1));
    int grace = (Integer) Objects.requireNonNull(pod.get("terminationGracePeriodSeconds"));
    assertThat(Duration.ofSeconds(grace)).isGreaterThan(drain.plus(REQUESTS_MAX));
    assertThat(
            Stream.of("startupProbe", "livenessProbe", "readinessProbe")
                .map(probe -> map(map(container, probe), "httpGet").get("path")))
        .isEqualTo(List.of("/livez", "/livez", "/readyz"));
    String catalog = String.valueOf(map(manifests.get(0), "data").get("mintmark.yaml"));
    assertThatCode(() -> CatalogReader.read("mintmark.yaml", catalog)).doesNotThrowAnyException();
  }

  private static Map<?, ?> map(Map<?, ?> parent, String key) {
    return (Map<?, ?>) Objects.requireNonNull(parent.get(key), key);
  }

  private static void assertParses(List<String> arguments) {
    assertThatCode(
            () ->
                MintmarkCommand.commandLine(arguments.toArray(String[]::new))
                    .parseArgs(arguments.toArray(String[]::new)))
        .as("%s", arguments)
        .doesNotThrowAnyException();
  }

  private static String group(String text, String pattern) {
    Matcher matcher = Pattern.compile(pattern).matcher(text);
    assertThat(matcher.find()).as(pattern).isTrue();
    return matcher.group(1);
  }
}
