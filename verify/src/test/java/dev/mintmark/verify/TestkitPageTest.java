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

/** The test of docs/testkit.md compiles without a warning and passes. */
@Tag("slow")
class TestkitPageTest {
  private static final Page PAGE = new Page("docs/testkit.md");

  @Test
  void theTestOfThePagePasses(@TempDir Path directory) throws Exception {
    assertThat(PAGE.blocks("java")).hasSize(1);
    Path classes = compiled(directory, PAGE.blocks("java").get(0));

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

  private static Path compiled(Path directory, String source) throws IOException {
    String classPath =
        System.getProperty("surefire.test.class.path", System.getProperty("java.class.path"));
    // -classfile: class files of libraries have annotations that are not on the class path.
    return new UserProgram(directory)
        .source("NumbersTest", source)
        .compile("-Xlint:-classfile", "-cp", classPath)
        .classes();
  }
}
