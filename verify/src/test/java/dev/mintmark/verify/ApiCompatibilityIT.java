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
import japicmp.model.JApiClass;
import japicmp.model.JApiCompatibility;
import japicmp.model.JApiCompatibilityChange;
import java.io.IOException;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
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

  @Test
  void everyLibraryHasABaseline() throws IOException {
    try (Stream<Path> files = Files.list(Checkout.root().resolve("verify/api").resolve(BASELINE))) {
      assertThat(files.map(file -> file.getFileName().toString()))
          .containsExactlyInAnyOrderElementsOf(
              LIBRARIES.stream().map(library -> library + ".jar").toList());
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
      add(each.getFullyQualifiedName(), each, found);
      add(each.getFullyQualifiedName() + " extends", each.getSuperclass(), found);
      each.getInterfaces()
          .forEach(
              part ->
                  add(
                      each.getFullyQualifiedName() + " implements " + part.getFullyQualifiedName(),
                      part,
                      found));
      each.getMethods()
          .forEach(part -> add(each.getFullyQualifiedName() + "." + part.getName(), part, found));
      each.getConstructors()
          .forEach(part -> add(each.getFullyQualifiedName() + "." + part.getName(), part, found));
      each.getFields()
          .forEach(part -> add(each.getFullyQualifiedName() + "." + part.getName(), part, found));
    }
    return found;
  }

  private static void add(String name, JApiCompatibility part, List<String> found) {
    for (JApiCompatibilityChange change : part.getCompatibilityChanges()) {
      if (!change.isBinaryCompatible() || !change.isSourceCompatible()) {
        found.add(name + ": " + change.getType());
      }
    }
  }
}
