package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.Patience;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** The cluster of the other tests. */
@Tag("failover")
class PatroniClusterIT {
  @Test
  void nothingOfItOutlivesTheProcessThatStartedIt() throws IOException {
    PatroniCluster.requirePackages();
    ProcessBuilder builder =
        new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-XX:TieredStopAtLevel=1",
            HoldCluster.class.getName());
    builder.environment().put("CLASSPATH", System.getProperty("java.class.path"));
    Process holder = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    Path directory = Path.of(holder.inputReader(StandardCharsets.UTF_8).readLine());
    List<ProcessHandle> processes = Processes.familyIn(directory);
    assertThat(processes).as("etcd, three of Patroni, three of PostgreSQL").hasSizeGreaterThan(7);

    holder.destroyForcibly();

    Eventually.present(
        Patience.MAX,
        () ->
            Processes.familyIn(directory).isEmpty() && processes.stream().noneMatch(Processes::runs)
                ? Optional.of(true)
                : Optional.empty());
  }
}
