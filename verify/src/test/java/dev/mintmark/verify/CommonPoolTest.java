package dev.mintmark.verify;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.ArchConfiguration;
import com.tngtech.archunit.core.domain.JavaCall;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Nothing runs in the common pool, which has one thread on a machine with two processors (JDK 25):
 * there a task that waits for another waits forever, and one that waits for a server stops all
 * others of the process.
 */
class CommonPoolTest {
  @Test
  @Tag("slow")
  void nothingRunsInTheCommonPool() throws IOException {
    noClasses()
        .should()
        .callMethodWhere(
            describe("its task runs in the common pool", CommonPoolTest::isInCommonPool))
        .check(classesOfMainAndTests());
  }

  private static JavaClasses classesOfMainAndTests() throws IOException {
    try (Stream<Path> modules = Files.list(Checkout.root())) {
      List<Path> directories =
          modules
              .flatMap(
                  module -> Stream.of("target/classes", "target/test-classes").map(module::resolve))
              .filter(Files::isDirectory)
              .toList();
      return ArchConfiguration.withThreadLocalScope(
          configuration -> {
            configuration.setResolveMissingDependenciesFromClassPath(false);
            return new ClassFileImporter().importPaths(directories);
          });
    }
  }

  private static boolean isInCommonPool(JavaCall<?> call) {
    JavaClass owner = call.getTargetOwner();
    String method = call.getTarget().getName();
    if (owner.isEquivalentTo(CompletableFuture.class)) {
      return method.endsWith("Async")
          && call.getTarget().getRawParameterTypes().stream()
              .noneMatch(type -> type.isEquivalentTo(Executor.class));
    }
    return method.equals("parallelStream")
        || (owner.getPackageName().equals(Stream.class.getPackageName())
            && method.equals("parallel"))
        || (owner.isEquivalentTo(ForkJoinPool.class) && method.equals("commonPool"));
  }
}
