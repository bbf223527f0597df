package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.Main;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The jars as they are packaged. */
class ModulesIT {
  /** The license, and which build it is: people find jars without what they came with. */
  @Test
  void everyJarHasItsLicenseAndItsVersion() throws IOException {
    List<Path> jars = jars();
    assertThat(jars).hasSizeGreaterThan(7);
    for (Path path : jars) {
      try (JarFile jar = new JarFile(path.toFile())) {
        assertThat(jar.getManifest().getMainAttributes().getValue("Implementation-Version"))
            .as("%s", path)
            .isNotBlank();
        for (String name : List.of("LICENSE", "NOTICE")) {
          JarEntry entry = jar.getJarEntry("META-INF/" + name);
          assertThat(entry).as("%s of %s", name, path).isNotNull();
          assertThat(jar.getInputStream(entry))
              .as("%s of %s", name, path)
              .hasBinaryContent(Files.readAllBytes(Checkout.root().resolve(name)));
        }
      }
    }
  }

  /** Returns the jars of classes of the modules that this build, or a release, has packaged. */
  private static List<Path> jars() throws IOException {
    try (Stream<Path> modules = Files.list(Checkout.root())) {
      return modules
          .map(module -> module.resolve("target"))
          .filter(Files::isDirectory)
          .flatMap(ModulesIT::list)
          .filter(
              file ->
                  file.getFileName()
                      .toString()
                      .matches("mintmark-(?!spark|fixtures).*(?<!-javadoc|-sources)[.]jar"))
          .toList();
    }
  }

  private static Stream<Path> list(Path directory) {
    try (Stream<Path> files = Files.list(directory)) {
      return files.toList().stream();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void jarOfTheProgramHasAModuleName() {
    assertThat(ModuleFinder.of(UserProgram.placeOf(Main.class)).findAll())
        .extracting(module -> module.descriptor().name())
        .containsExactly("dev.mintmark.app");
  }
}
