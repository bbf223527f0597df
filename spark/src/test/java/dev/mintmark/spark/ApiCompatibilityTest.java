package dev.mintmark.spark;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.spark.job.ReadableColumns;
import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Option;

/**
 * What docs/stability.md promises of this jar is still there: the extension, the functions, and the
 * job with its options. {@code verify/api} has a list of them for an earlier version; {@code
 * -Dmintmark.api=write} writes that of this version, which is done once for a release.
 */
class ApiCompatibilityTest {
  private static final Path BASELINE = Path.of("..", "verify", "api", "0.1.0", "spark.txt");

  private static final String OPTION = "option ";
  private static final String OMITTED = "may be omitted: ";

  @Test
  void programsAndCommandsRunAsWithTheBaseline() throws IOException {
    List<String> declared = declared();
    if ("write".equals(System.getProperty("mintmark.api"))) {
      Files.writeString(BASELINE, String.join("\n", declared) + "\n");
    }

    List<String> before = Files.readAllLines(BASELINE);
    assertThat(declared).as("see docs/stability.md").containsAll(before);
    // A command that runs without a new option must run on.
    assertThat(declared)
        .filteredOn(line -> line.startsWith(OPTION) && !before.contains(line))
        .allMatch(line -> declared.contains(OMITTED + line.substring(OPTION.length())));
  }

  private static List<String> declared() {
    return List.copyOf(
        new TreeSet<>(
            Stream.of(
                    functions(),
                    members(MintmarkExtensions.class),
                    members(MintmarkFunctions.class),
                    members(ReadableColumns.class).filter(member -> member.contains(".main(")),
                    options())
                .flatMap(lines -> lines)
                .toList()));
  }

  /** The functions of SQL, with the number of their parameters. */
  private static Stream<String> functions() {
    return SparkFunction.all().stream()
        .map(
            function ->
                "function %s(%s): %s"
                    .formatted(
                        function.label(),
                        function.inputTypes().length(),
                        function.resultType().sql()));
  }

  private static Stream<String> members(Class<?> type) {
    return Stream.concat(
        Arrays.stream(type.getConstructors()).map(Constructor::toString),
        Arrays.stream(type.getDeclaredMethods())
            .filter(method -> Modifier.isPublic(method.getModifiers()) && !method.isBridge())
            .map(Method::toString));
  }

  private static Stream<String> options() {
    return Arrays.stream(ReadableColumns.class.getDeclaredFields())
        .flatMap(field -> Arrays.stream(field.getAnnotationsByType(Option.class)))
        .flatMap(option -> Arrays.stream(option.names()).flatMap(name -> lines(option, name)));
  }

  private static Stream<String> lines(Option option, String name) {
    return option.required() ? Stream.of(OPTION + name) : Stream.of(OPTION + name, OMITTED + name);
  }
}
