package dev.mintmark.verify;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.Patience;
import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** A program of a user: compiled with every warning an error, and run in a JVM of its own. */
final class UserProgram {
  private final Path sources;
  private final Path classes;
  private final Path output;
  private final Map<String, String> environment = new LinkedHashMap<>();

  /** Begins one in an empty directory. */
  UserProgram(Path directory) throws IOException {
    sources = Files.createDirectory(directory.resolve("sources"));
    classes = Files.createDirectory(directory.resolve("classes"));
    output = directory.resolve("output");
  }

  /** Adds a file of sources: {@code Program}, {@code module-info}. */
  UserProgram source(String name, String text) throws IOException {
    Files.writeString(sources.resolve(name + ".java"), text);
    return this;
  }

  /** Runs it with an environment variable besides. */
  UserProgram with(String name, String value) {
    environment.put(name, value);
    return this;
  }

  /** Compiles with these options. The compiler must have nothing to say. */
  UserProgram compile(String... options) throws IOException {
    List<String> all = new ArrayList<>(List.of("-Xlint:all", "-Werror", "-proc:none", "-d"));
    all.add(classes.toString());
    all.addAll(Arrays.asList(options));
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    try (Stream<Path> files = Files.list(sources);
        StandardJavaFileManager manager =
            compiler.getStandardFileManager(null, null, StandardCharsets.UTF_8)) {
      boolean done =
          compiler
              .getTask(
                  said,
                  manager,
                  null,
                  all,
                  null,
                  manager.getJavaFileObjectsFromPaths(files.toList()))
              .call();
      assertThat(said).asString().isEmpty();
      assertThat(done).isTrue();
    }
    return this;
  }

  /** Runs it and returns what it prints on both streams. It must exit with 0. */
  String run(String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-XX:+UseSerialGC", "-XX:TieredStopAtLevel=1"));
    command.addAll(Arrays.asList(arguments));
    ProcessBuilder builder = new ProcessBuilder(command);
    // The JVM would print what it takes from the first two, and see more with the third.
    builder
        .environment()
        .keySet()
        .removeAll(Set.of("JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "CLASSPATH"));
    builder.environment().putAll(environment);
    Process process = builder.redirectErrorStream(true).redirectOutput(output.toFile()).start();
    if (!process.waitFor(Patience.MAX.toSeconds(), SECONDS)) {
      process.destroyForcibly();
      throw new AssertionError("still running after " + Patience.MAX + ": " + command);
    }
    String printed = Files.readString(output);
    assertThat(process.exitValue()).as(printed).isZero();
    return printed;
  }

  /** Where its classes are. */
  Path classes() {
    return classes;
  }

  /** The folder or jar that a class was loaded from. */
  static Path placeOf(Class<?> type) {
    try {
      return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI());
    } catch (URISyntaxException e) {
      throw new AssertionError(e);
    }
  }

  /** Folders and jars as one path. */
  static String path(Path... places) {
    return Arrays.stream(places)
        .map(Path::toString)
        .collect(Collectors.joining(File.pathSeparator));
  }
}
