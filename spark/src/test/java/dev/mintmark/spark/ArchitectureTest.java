package dev.mintmark.spark;

import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/**
 * The dependencies that this module may have; {@code verify} has the rules of the other modules.
 */
class ArchitectureTest {
  private static final JavaClasses SHIPPED =
      new ClassFileImporter()
          .importUrl(MintmarkExtensions.class.getProtectionDomain().getCodeSource().getLocation())
          .that(resideInAnyPackage("dev.mintmark.spark.."));

  @Test
  void needsCoreTheWarehouseAndSpark() {
    classes()
        .should()
        .onlyDependOnClassesThat(
            resideInAnyPackage(
                "java..",
                "scala..",
                "org.apache.spark..",
                "org.apache.hadoop..",
                "org.apache.parquet..",
                "com.fasterxml.jackson..",
                "picocli..",
                "dev.mintmark",
                "dev.mintmark.warehouse..",
                "dev.mintmark.spark..",
                "org.jspecify.annotations"))
        .check(SHIPPED);
  }

  @Test
  void everyPackageIsNullMarked() {
    assertThat(SHIPPED.stream().map(JavaClass::getPackage).distinct())
        .hasSizeGreaterThanOrEqualTo(2)
        .allMatch(each -> each.isAnnotatedWith(NullMarked.class));
  }
}
