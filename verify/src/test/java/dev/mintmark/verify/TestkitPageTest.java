package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The tests of docs/testkit.md compile without a warning, and the last one passes. */
@Tag("slow")
class TestkitPageTest {
  private static final Page PAGE = new Page("docs/testkit.md");

  @Test
  void theTestOfThePagePasses(@TempDir Path directory) throws Exception {
    Path classes = compiled(directory, "NumbersTest", PAGE.blocks("java").get(1));

    try (URLClassLoader loader =
        new URLClassLoader(new URL[] {classes.toUri().toURL()}, getClass().getClassLoader())) {
      Class<?> test = loader.loadClass("NumbersTest");
      List<Method> methods =
          Arrays.stream(test.getDeclaredMethods())
              .filter(method -> method.isAnnotationPresent(Test.class))
              .toList();
      assertThat(methods).hasSize(1);
      Constructor<?> constructor = test.getDeclaredConstructor();
      constructor.setAccessible(true);
      Method method = methods.get(0);
      method.setAccessible(true);
      method.invoke(constructor.newInstance());
    }
  }

  @Test
  void theTestWithReproducibleIdsCompiles(@TempDir Path directory) throws IOException {
    assertThat(PAGE.blocks("java")).hasSize(2);

    compiled(
        directory,
        "OrdersTest",
        """
        import dev.mintmark.*;
        import dev.mintmark.testkit.*;
        import java.time.Duration;
        import java.util.*;
        import org.junit.jupiter.api.Test;
        import org.junit.jupiter.api.extension.ExtendWith;

        class Orders {
          private final List<Ulid> ids = new ArrayList<>();
          private final Mint<Ulid> mint;

          Orders(Mint<Ulid> mint) {
            this.mint = mint;
          }

          void add(String name) {
            ids.add(mint.mint());
          }

          List<Ulid> ids() {
            return ids;
          }
        }

        """
            + PAGE.blocks("java").get(0));
  }

  private static Path compiled(Path directory, String name, String source) throws IOException {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    // -classfile: class files of libraries have annotations that are not on the class path.
    return new UserProgram(directory)
        .source(name, source)
        .compile("-Xlint:-classfile", "-cp", classPath)
        .classes();
  }
}
