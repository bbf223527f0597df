package dev.mintmark.spark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.OutputStream;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The published jar, in processes that have no other class of Mintmark. */
@Tag("long")
class ClusterIT {
  private static final List<String> JAR_FILES =
      List.of("META-INF/MANIFEST.MF", "META-INF/LICENSE", "META-INF/NOTICE");

  private static final Path JAR = Path.of(System.getProperty("mintmark.jar", ""));

  @TempDir private Path directory;

  @Test
  void theJarHasAllOfOursAndNothingElse() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile())) {
      assertThat(jar.stream().map(JarEntry::getName).filter(name -> !name.endsWith("/")))
          .contains(
              "dev/mintmark/Ulid.class",
              "dev/mintmark/warehouse/WarehouseFunction.class",
              "dev/mintmark/spark/MintmarkExtensions.class")
          .allMatch(
              name ->
                  name.startsWith("dev/mintmark/")
                      || name.startsWith("META-INF/native-image/dev.mintmark/")
                      || JAR_FILES.contains(name))
          .containsAll(JAR_FILES);
      assertThat(jar.getManifest().getMainAttributes().getValue("Implementation-Version"))
          .as("which build it is")
          .isNotBlank();
    }
  }

  @Test
  void theJarHasAModuleName() {
    assertThat(ModuleFinder.of(JAR).findAll())
        .extracting(module -> module.descriptor().name())
        .containsExactly("dev.mintmark.spark");
  }

  @Test
  void twoExecutorsConvertWhatCoreConverts() throws IOException, InterruptedException {
    SparkSubmit.Finished finished =
        SparkSubmit.run(
            directory,
            List.of(
                "--master",
                "local-cluster[2,1,1024]",
                "--conf",
                "spark.scheduler.minRegisteredResourcesRatio=1.0",
                "--conf",
                "spark.scheduler.maxRegisteredResourcesWaitingTime=120s",
                "--conf",
                "spark.executor.memory=512m",
                "--conf",
                "spark.sql.extensions=" + MintmarkExtensions.class.getName(),
                "--jars",
                JAR.toString(),
                "--class",
                ClusterProbe.class.getName(),
                applicationJar().toString()));

    List<String[]> parts =
        finished.lines("part ").stream().map(line -> line.split(" ", -1)).toList();
    assertThat(finished.exitStatus()).as(finished.stderr()).isZero();
    assertThat(parts).hasSize(8).allMatch(part -> part[3].equals("10000") && part[4].equals("0"));
    assertThat(parts.stream().map(part -> part[1]).distinct()).as("executors").hasSize(2);
    assertThat(parts.stream().map(part -> part[2]).distinct()).as("processes").hasSize(2);
  }

  /** Builds the jar of the application without its dependencies. */
  private Path applicationJar() throws IOException {
    Path classes = Path.of(System.getProperty("mintmark.test-classes", ""));
    Path jar = directory.resolve("probe.jar");
    try (OutputStream file = Files.newOutputStream(jar);
        JarOutputStream entries = new JarOutputStream(file);
        Stream<Path> all = Files.walk(classes)) {
      for (Path each : all.filter(path -> path.toString().contains("ClusterProbe")).toList()) {
        entries.putNextEntry(new JarEntry(classes.relativize(each).toString()));
        Files.copy(each, entries);
        entries.closeEntry();
      }
    }
    return jar;
  }
}
