package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Experimental;
import japicmp.cmp.JApiCmpArchive;
import japicmp.cmp.JarArchiveComparator;
import japicmp.cmp.JarArchiveComparatorOptions;
import japicmp.filter.AnnotationBehaviorFilter;
import japicmp.filter.AnnotationClassFilter;
import japicmp.filter.AnnotationFieldFilter;
import japicmp.model.AccessModifier;
import japicmp.model.FinalModifier;
import japicmp.model.JApiClass;
import japicmp.model.JApiCompatibility;
import japicmp.model.JApiCompatibilityChange;
import japicmp.model.JApiCompatibilityChangeType;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/**
 * Programs that use an earlier version compile and run with this one. The declarations of that
 * version are in {@code verify/api}, as jars without code; {@code -Dmintmark.api=write} writes
 * those of this version, which is done once for a release.
 */
class ApiCompatibilityIT {
  private static final String BASELINE = "0.1.0";

  private static final List<String> LIBRARIES = PublicApi.LIBRARIES;

  /** What is reported of a class that has become abstract, or has another abstract method. */
  private static final Set<JApiCompatibilityChangeType> ABSTRACTED =
      Set.of(
          JApiCompatibilityChangeType.CLASS_NOW_ABSTRACT,
          JApiCompatibilityChangeType.METHOD_NOW_ABSTRACT,
          JApiCompatibilityChangeType.METHOD_ABSTRACT_ADDED_TO_CLASS);

  private static final String EXPERIMENTAL = "@" + Experimental.class.getName();

  @ParameterizedTest
  @FieldSource("LIBRARIES")
  void programsCompileAndRunAsWithTheBaseline(String library) throws IOException {
    Path baseline = baseline(library);
    Path jar = PublicApi.jar(library);
    if ("write".equals(System.getProperty("mintmark.api"))) {
      PublicApi.writeDeclarations(jar, baseline);
    }

    assertThat(PublicApi.packages(jar)).containsAll(PublicApi.packages(baseline));
    assertThat(incompatibilities(baseline, jar))
        .as("what changed in %s since %s: see docs/stability.md", library, BASELINE)
        .isEmpty();
  }

  /** The list of Spark's functions is compared by a test of that module. */
  @Test
  void everyLibraryHasABaseline() throws IOException {
    try (Stream<Path> files = Files.list(Checkout.root().resolve("verify/api").resolve(BASELINE))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              Stream.concat(
                      LIBRARIES.stream().map(library -> library + ".jar"), Stream.of("spark.txt"))
                  .toList());
    }
  }

  @Test
  void aMissingClassIsFound(@TempDir Path directory) throws IOException {
    Path less = Files.copy(baseline("core"), directory.resolve("less.jar"));
    try (FileSystem files = FileSystems.newFileSystem(less)) {
      Files.delete(files.getPath("dev/mintmark/Ulid.class"));
    }

    assertThat(incompatibilities(baseline("core"), less))
        .contains("dev.mintmark.Ulid: CLASS_REMOVED");
  }

  /** A program calls objects that the library makes in the same way if their class is abstract. */
  @Test
  void aClassMayBecomeAbstractIfProgramsCanNeitherMakeNorExtendIt(@TempDir Path directory)
      throws IOException {
    Path abstracted =
        jar(
            directory.resolve("abstract"),
            """
            public abstract sealed class A {
              A() {}
              public abstract void run();
              static final class Part extends A { public void run() {} }
            }
            """);

    for (String earlier :
        List.of(
            "public final class A { public A() {} public void run() {} }",
            "public class A { protected A() {} public void run() {} }")) {
      assertThat(incompatibilities(jar(directory.resolve("open"), earlier), abstracted))
          .contains("A: CLASS_NOW_ABSTRACT", "A.run: METHOD_NOW_ABSTRACT");
    }
    for (String earlier :
        List.of(
            "public final class A { private A() {} public void run() {} }",
            "public abstract class A { A() {} }")) {
      assertThat(incompatibilities(jar(directory.resolve("closed"), earlier), abstracted))
          .isEmpty();
    }
  }

  /** Compiles one class into a jar. */
  private static Path jar(Path directory, String source) throws IOException {
    Path file = Files.createDirectories(directory).resolve("A.java");
    Files.writeString(file, source);
    Path jar = directory.resolve("a.jar");
    JavaCompiler compiler = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler());
    assertThat(compiler.run(null, null, null, "-d", directory + "/classes", file.toString()))
        .isZero();
    java.util.spi.ToolProvider archiver = java.util.spi.ToolProvider.findFirst("jar").orElseThrow();
    assertThat(
            archiver.run(
                System.out, System.err, "cf", jar.toString(), "-C", directory + "/classes", "."))
        .isZero();
    return jar;
  }

  private static Path baseline(String library) {
    return Checkout.root().resolve("verify/api").resolve(BASELINE).resolve(library + ".jar");
  }

  private static List<String> incompatibilities(Path baseline, Path jar) {
    JarArchiveComparatorOptions options = new JarArchiveComparatorOptions();
    options.setAccessModifier(AccessModifier.PROTECTED);
    options.getIgnoreMissingClasses().setIgnoreAllMissingClasses(true);
    options.getFilters().getExcludes().add(new AnnotationClassFilter(EXPERIMENTAL));
    options.getFilters().getExcludes().add(new AnnotationBehaviorFilter(EXPERIMENTAL));
    options.getFilters().getExcludes().add(new AnnotationFieldFilter(EXPERIMENTAL));
    List<String> found = new ArrayList<>();
    for (JApiClass each :
        new JarArchiveComparator(options)
            .compare(
                new JApiCmpArchive(baseline.toFile(), BASELINE),
                new JApiCmpArchive(jar.toFile(), "this version"))) {
      Set<JApiCompatibilityChangeType> abstracted = isClosed(each) ? ABSTRACTED : Set.of();
      add(each.getFullyQualifiedName(), each, abstracted, found);
      add(each.getFullyQualifiedName() + " extends", each.getSuperclass(), found);
      each.getInterfaces()
          .forEach(
              part ->
                  add(
                      each.getFullyQualifiedName() + " implements " + part.getFullyQualifiedName(),
                      part,
                      found));
      each.getMethods()
          .forEach(
              part ->
                  add(
                      each.getFullyQualifiedName() + "." + part.getName(),
                      part,
                      abstracted,
                      found));
      each.getConstructors()
          .forEach(part -> add(each.getFullyQualifiedName() + "." + part.getName(), part, found));
      each.getFields()
          .forEach(part -> add(each.getFullyQualifiedName() + "." + part.getName(), part, found));
    }
    return found;
  }

  /**
   * No program has a subclass of a final class or of one without a constructor for it, or an object
   * of its own without a constructor.
   */
  private static boolean isClosed(JApiClass each) {
    boolean isFinal =
        each.getFinalModifier().getOldModifier().filter(FinalModifier.FINAL::equals).isPresent();
    return each.getConstructors().stream()
        .flatMap(constructor -> constructor.getOldConstructor().stream())
        .mapToInt(constructor -> constructor.getModifiers())
        .noneMatch(
            modifiers ->
                Modifier.isPublic(modifiers) || (Modifier.isProtected(modifiers) && !isFinal));
  }

  private static void add(String name, JApiCompatibility part, List<String> found) {
    add(name, part, Set.of(), found);
  }

  private static void add(
      String name,
      JApiCompatibility part,
      Set<JApiCompatibilityChangeType> allowed,
      List<String> found) {
    for (JApiCompatibilityChange change : part.getCompatibilityChanges()) {
      if ((!change.isBinaryCompatible() || !change.isSourceCompatible())
          && !allowed.contains(change.getType())) {
        found.add(name + ": " + change.getType());
      }
    }
  }
}
