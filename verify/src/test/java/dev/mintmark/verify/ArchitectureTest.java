package dev.mintmark.verify;

import static com.tngtech.archunit.base.DescribedPredicate.alwaysTrue;
import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.GeneralCodingRules.ACCESS_STANDARD_STREAMS;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonCreator;
import com.fasterxml.jackson.annotation.JsonIgnore;
import com.fasterxml.jackson.annotation.JsonValue;
import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.domain.JavaPackage;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.mintmark.Ulid;
import dev.mintmark.app.Main;
import dev.mintmark.catalog.CatalogReader;
import dev.mintmark.client.MintmarkClient;
import dev.mintmark.embedded.EmbeddedDatabase;
import dev.mintmark.hibernate.MintedBy;
import dev.mintmark.jdbi.MintmarkPlugin;
import dev.mintmark.jooq.IdConverter;
import dev.mintmark.operations.doctor.Doctor;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.testkit.AllocatorChecker;
import dev.mintmark.warehouse.Warehouse;
import java.net.URL;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** The modules and their direction, as the design draws them, and the rules of the house. */
@Tag("slow")
class ArchitectureTest {
  private static final String ANNOTATIONS = "org.jspecify.annotations";

  /** Those of core, which works without them. */
  private static final DescribedPredicate<JavaClass> JACKSON_ANNOTATIONS =
      JavaClass.Predicates.belongToAnyOf(JsonCreator.class, JsonIgnore.class, JsonValue.class);

  private static final JavaClasses ALL =
      new ClassFileImporter()
          .importUrls(Arrays.stream(Module.values()).map(Module::place).toList());

  /** What is built and shipped, each from its own jar or folder of classes. */
  private enum Module {
    CORE(Ulid.class, 30),
    CATALOG(CatalogReader.class, 8),
    POSTGRES(Pools.class, 20),
    JDBI(MintmarkPlugin.class, 4),
    JOOQ(IdConverter.class, 1),
    OPERATIONS(Doctor.class, 60),
    EMBEDDED(EmbeddedDatabase.class, 5),
    TESTKIT(AllocatorChecker.class, 15),
    WAREHOUSE(Warehouse.class, 20),
    JACKSON(dev.mintmark.jackson.MintmarkModule.class, 10),
    JACKSON2(dev.mintmark.jackson2.MintmarkModule.class, 10),
    CLIENT(MintmarkClient.class, 25),
    HIBERNATE(MintedBy.class, 15),
    SPRING(named("dev.mintmark.spring.MintmarkAutoConfiguration"), 30),
    APP(Main.class, 40);

    private final Class<?> member;
    private final int classesMin;

    Module(Class<?> member, int classesMin) {
      this.member = member;
      this.classesMin = classesMin;
    }

    /** A class that no other module can name. */
    private static Class<?> named(String name) {
      try {
        return Class.forName(name, false, ArchitectureTest.class.getClassLoader());
      } catch (ClassNotFoundException e) {
        throw new IllegalStateException(e);
      }
    }

    /** Where its classes are: not its tests, nor anything of another module. */
    private URL place() {
      return member.getProtectionDomain().getCodeSource().getLocation();
    }

    private JavaClasses classes() {
      String place = place().getPath();
      return ALL.that(
          describe(
              "are in " + place,
              type -> type.getSource().orElseThrow().getUri().toString().contains(place)));
    }
  }

  @ParameterizedTest
  @EnumSource
  void theRulesSeeTheClassesOfEveryModule(Module module) {
    assertThat(module.classes()).hasSizeGreaterThanOrEqualTo(module.classesMin);
    assertThat(ALL.stream().map(JavaClass::getName))
        .containsAll(module.classes().stream().map(JavaClass::getName).toList());
  }

  @Test
  void coreNeedsTheJdkAlone() {
    mayUse(jdk("java.base").or(JACKSON_ANNOTATIONS), "dev.mintmark", ANNOTATIONS)
        .check(Module.CORE.classes());
  }

  @Test
  void catalogNeedsCoreAndTheYamlParser() {
    mayUse(
            jdk("java.base"),
            "dev.mintmark",
            "dev.mintmark.catalog..",
            "org.snakeyaml.engine..",
            ANNOTATIONS)
        .check(Module.CATALOG.classes());
  }

  @Test
  void postgresNeedsCoreAndJdbc() {
    mayUse(
            jdk("java.base", "java.sql"),
            "dev.mintmark",
            "dev.mintmark.postgres..",
            "org.postgresql..",
            ANNOTATIONS)
        .check(Module.POSTGRES.classes());
  }

  @Test
  void jdbiNeedsCoreAndColumns() {
    mayUse(
            jdk("java.base", "java.sql"),
            "dev.mintmark",
            "dev.mintmark.jdbi",
            "dev.mintmark.postgres.jdbc",
            "org.jdbi.v3.core..",
            ANNOTATIONS)
        .check(Module.JDBI.classes());
  }

  @Test
  void jooqNeedsCoreAlone() {
    mayUse(jdk("java.base"), "dev.mintmark", "dev.mintmark.jooq", "org.jooq..", ANNOTATIONS)
        .check(Module.JOOQ.classes());
  }

  @Test
  void operationsNeedsPostgres() {
    mayUse(
            jdk("java.base", "java.sql"),
            "dev.mintmark",
            "dev.mintmark.postgres..",
            "dev.mintmark.operations..",
            "org.postgresql..",
            ANNOTATIONS)
        .check(Module.OPERATIONS.classes());
  }

  @Test
  void embeddedNeedsNoOtherModule() {
    mayUse(
            jdk("java.base", "java.sql"),
            "dev.mintmark.embedded",
            "org.apache.commons.compress..",
            "org.tukaani.xz",
            ANNOTATIONS)
        .check(Module.EMBEDDED.classes());
  }

  @Test
  void testkitNeedsPoolsAndTheEmbeddedDatabase() {
    mayUse(
            jdk("java.base", "java.sql"),
            "dev.mintmark",
            "dev.mintmark.embedded",
            "dev.mintmark.postgres",
            "dev.mintmark.postgres.internal",
            "dev.mintmark.postgres.pool",
            "dev.mintmark.testkit",
            "org.junit.jupiter.api.extension", // optional: ReproducibleIdsExtension alone
            ANNOTATIONS)
        .check(Module.TESTKIT.classes());
  }

  @Test
  void warehouseNeedsCoreAlone() {
    mayUse(jdk("java.base"), "dev.mintmark", "dev.mintmark.warehouse..", ANNOTATIONS)
        .check(Module.WAREHOUSE.classes());
  }

  @Test
  void jacksonNeedsCoreAndJackson() {
    mayUse(
            jdk("java.base"),
            "dev.mintmark",
            "dev.mintmark.jackson",
            "tools.jackson..",
            "com.fasterxml.jackson.annotation",
            ANNOTATIONS)
        .check(Module.JACKSON.classes());
    mayUse(
            jdk("java.base"),
            "dev.mintmark",
            "dev.mintmark.jackson2",
            "com.fasterxml.jackson..",
            ANNOTATIONS)
        .check(Module.JACKSON2.classes());
  }

  @Test
  void theClientNeedsCoreAndAParserOfJson() {
    mayUse(
            jdk("java.base", "java.net.http"),
            "dev.mintmark",
            "dev.mintmark.client",
            "tools.jackson.core..",
            ANNOTATIONS)
        .check(Module.CLIENT.classes());
  }

  @Test
  void hibernateNeedsColumnsAndHibernate() {
    mayUse(
            jdk("java.base", "java.sql"),
            "dev.mintmark",
            "dev.mintmark.hibernate",
            "dev.mintmark.postgres.jdbc",
            "org.hibernate..",
            "jakarta.persistence..",
            "jakarta.transaction",
            ANNOTATIONS)
        .check(Module.HIBERNATE.classes());
  }

  @Test
  void springNeedsWhatItConfigures() {
    mayUse(
            jdk("java.base", "java.sql", "java.desktop"),
            "dev.mintmark",
            "dev.mintmark.catalog",
            "dev.mintmark.hibernate",
            "dev.mintmark.jackson",
            "dev.mintmark.postgres.pack",
            "dev.mintmark.postgres.page",
            "dev.mintmark.postgres.pool..",
            "dev.mintmark.postgres.search",
            "dev.mintmark.spring..",
            "io.micrometer..",
            "jakarta.persistence..",
            "jakarta.servlet..",
            "org.apache.commons.logging",
            "org.hibernate..",
            "org.springframework..",
            "reactor.core..",
            "tools.jackson..",
            ANNOTATIONS)
        .check(Module.SPRING.classes());
  }

  @Test
  void nothingOfTheStarterIsPublicButWhatProgramsUseWithSpringData() {
    classes()
        .that()
        .resideInAPackage("dev.mintmark.spring")
        .should()
        .notBePublic()
        .check(Module.SPRING.classes());
  }

  @Test
  void adaptersAreUsedByTheStarterAtMost() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.mintmark.client",
            "dev.mintmark.hibernate",
            "dev.mintmark.jackson",
            "dev.mintmark.jackson2",
            "dev.mintmark.jdbi",
            "dev.mintmark.jooq",
            "dev.mintmark.spring..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(
            "dev.mintmark.client",
            "dev.mintmark.hibernate",
            "dev.mintmark.jackson",
            "dev.mintmark.jackson2",
            "dev.mintmark.jdbi",
            "dev.mintmark.jooq",
            "dev.mintmark.spring..")
        .check(ALL);
  }

  @Test
  void nobodyNeedsTheProgram() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.mintmark.app..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.mintmark.app..")
        .check(ALL);
  }

  @Test
  void whatIsInternalToPostgresIsForOperationsAndTestkitAtMost() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.mintmark.postgres..", "dev.mintmark.operations..", "dev.mintmark.testkit..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.mintmark.postgres.internal..")
        .check(ALL);
  }

  @Test
  void packagesOfPostgresDoNotSeeOneAnother() {
    slices()
        .matching("dev.mintmark.postgres.(*)..")
        .should()
        .notDependOnEachOther()
        .ignoreDependency(alwaysTrue(), resideInAPackage("dev.mintmark.postgres.internal"))
        .check(ALL);
  }

  @Test
  void poolsDoNotNeedTheNumbersMadeFromThem() {
    noClasses()
        .that()
        .resideInAPackage("dev.mintmark.postgres.pool")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.mintmark.postgres.pool.numbers..")
        .check(ALL);
  }

  @Test
  void packagesOfOperationsDoNotSeeOneAnother() {
    slices()
        .matching("dev.mintmark.operations.(*)..")
        .should()
        .notDependOnEachOther()
        .ignoreDependency(alwaysTrue(), resideInAPackage("dev.mintmark.operations.internal.schema"))
        .check(ALL);
  }

  @Test
  void packagesAreFreeOfCycles() {
    slices().matching("dev.mintmark.(**)").should().beFreeOfCycles().check(ALL);
  }

  @Test
  void onlyTheServerAndAdaptersSeeSpringAndServlets() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            "dev.mintmark.app.http..", "dev.mintmark.hibernate", "dev.mintmark.spring..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("org.springframework..", "jakarta..", "org.apache.catalina..")
        .check(ALL);
  }

  @Test
  void onlyCommandsSeePicocli() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.mintmark.app.cli..", "dev.mintmark.app.storm..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("picocli..")
        .check(ALL);
  }

  @Test
  void everyPackageIsNullMarked() {
    Set<JavaPackage> packages = ALL.stream().map(JavaClass::getPackage).collect(Collectors.toSet());

    assertThat(packages)
        .hasSizeGreaterThanOrEqualTo(6)
        .allSatisfy(each -> assertThat(each.isAnnotatedWith(NullMarked.class)).isTrue());
  }

  @Test
  void coreDoesNotLog() {
    noClasses()
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(System.Logger.class)
        .check(Module.CORE.classes());
  }

  @Test
  void librariesLeaveTheStandardStreamsToTheProgram() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.mintmark.app..")
        .should(ACCESS_STANDARD_STREAMS)
        .check(ALL);
  }

  @Test
  void classesAreNamedForWhatTheyKnow() {
    noClasses()
        .should()
        .haveNameMatching(".*[.$](\\w+(Utils?|Helpers?|Manager|Impl)|(Abstract|Base)[A-Z]\\w*)")
        .check(ALL);
  }

  @Test
  void uuidsAreNeitherComparedNorReadByTheJdk() {
    noClasses()
        .should()
        .accessTargetWhere(
            targets(UUID.class, "compareTo", "which is signed")
                .or(targets(UUID.class, "fromString", "which takes 1-1-1-1-1 for a UUID")))
        .check(ALL);
  }

  private static ArchRule mayUse(DescribedPredicate<JavaClass> jdk, String... packages) {
    return classes()
        .should()
        .onlyDependOnClassesThat(
            jdk.or(JavaClass.Predicates.resideInAnyPackage(packages))
                .as("are of %s or in %s", jdk.getDescription(), List.of(packages)));
  }

  private static DescribedPredicate<JavaClass> jdk(String... modules) {
    Set<String> packages =
        Arrays.stream(modules)
            .map(module -> ModuleLayer.boot().findModule(module).orElseThrow())
            .flatMap(module -> module.getPackages().stream())
            .collect(Collectors.toSet());
    return describe(
        String.join(" and ", modules),
        type -> {
          JavaClass element = type.getBaseComponentType();
          return element.isPrimitive() || packages.contains(element.getPackageName());
        });
  }

  private static DescribedPredicate<JavaAccess<?>> targets(
      Class<?> owner, String method, String why) {
    return describe(
        "the target is %s.%s, %s".formatted(owner.getSimpleName(), method, why),
        access ->
            access.getTargetOwner().isEquivalentTo(owner)
                && access.getTarget().getName().equals(method));
  }
}
