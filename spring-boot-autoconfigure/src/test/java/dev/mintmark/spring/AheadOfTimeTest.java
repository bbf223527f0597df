package dev.mintmark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Ksuid;
import dev.mintmark.Masks;
import dev.mintmark.NanoId;
import dev.mintmark.ObjectId;
import dev.mintmark.Puri;
import dev.mintmark.Snowflake;
import dev.mintmark.Tsid;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.Xid;
import dev.mintmark.spring.aot.ShopApplication;
import dev.mintmark.spring.aot.ShopApplication.PaymentId;
import dev.mintmark.spring.aot.ShopApplication.RefundOf;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.apache.catalina.webresources.TomcatURLStreamHandlerFactory;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.aot.hint.MemberCategory;
import org.springframework.aot.hint.RuntimeHints;
import org.springframework.aot.hint.predicate.RuntimeHintsPredicates;
import org.springframework.aot.test.generate.TestGenerationContext;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration;
import org.springframework.boot.web.server.servlet.context.AnnotationConfigServletWebServerApplicationContext;
import org.springframework.boot.web.server.servlet.context.ServletWebServerApplicationContext;
import org.springframework.boot.webmvc.autoconfigure.DispatcherServletAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.aot.ApplicationContextAotGenerator;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.core.env.MapPropertySource;
import org.springframework.core.test.tools.CompileWithForkedClassLoader;
import org.springframework.core.test.tools.TestCompiler;
import org.springframework.javapoet.ClassName;

/** Applications that Spring processes ahead of time, on the JVM. No native image is built. */
class AheadOfTimeTest {
  private static final String SECRET = "a:MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY=";
  private static final List<Class<?>> VALUES =
      List.of(
          Ulid.class,
          Snowflake.class,
          Tsid.class,
          TypeId.class,
          NanoId.class,
          Ksuid.class,
          ObjectId.class,
          Xid.class,
          Puri.class);
  private static final Path POSTGRES = Path.of("../postgres/src/main/resources");

  /** Not all that is on the class path, of which much more would have to be compiled. */
  @Configuration(proxyBeanMethods = false)
  @ImportAutoConfiguration({
    DispatcherServletAutoConfiguration.class,
    HttpMessageConvertersAutoConfiguration.class,
    JacksonAutoConfiguration.class,
    MintmarkAutoConfiguration.class,
    MintmarkCatalogAutoConfiguration.class,
    MintmarkJacksonAutoConfiguration.class,
    MintmarkMasksAutoConfiguration.class,
    MintmarkOldFacesAutoConfiguration.class,
    MintmarkWebAutoConfiguration.class,
    TomcatServletWebServerAutoConfiguration.class,
    WebMvcAutoConfiguration.class
  })
  static class Libraries {}

  private static void configure(
      GenericApplicationContext application, String property, String value) {
    application
        .getEnvironment()
        .getPropertySources()
        .addFirst(new MapPropertySource("test", Map.of("server.port", 0, property, value)));
  }

  private static ClassName process(TestGenerationContext generation) {
    AnnotationConfigServletWebServerApplicationContext application =
        new AnnotationConfigServletWebServerApplicationContext();
    application.register(ShopApplication.class, Libraries.class);
    // Of the keyring only its place is known before the application starts.
    configure(application, "mintmark.secret-file", "/none/keyring");
    return new ApplicationContextAotGenerator().processAheadOfTime(application, generation);
  }

  @Test
  @CompileWithForkedClassLoader
  @Tag("long")
  void generatedApplicationShowsFacesAndAnswersMalformedOnes() {
    // A JVM has one, and that of another class loader is in the way of Tomcat in other tests.
    var unused = TomcatURLStreamHandlerFactory.disable();
    TestGenerationContext generation = new TestGenerationContext();
    process(generation);
    generation.writeGeneratedContent();

    assertThat(
            RuntimeHintsPredicates.reflection()
                .onMethodInvocation(RefundOf.class, "value")
                .test(generation.getRuntimeHints()))
        .isTrue();
    assertThat(
            RuntimeHintsPredicates.reflection()
                .onType(RefundOf.class)
                .withMemberCategory(MemberCategory.INVOKE_DECLARED_CONSTRUCTORS)
                .test(generation.getRuntimeHints()))
        .isTrue();
    TestCompiler.forSystem()
        .with(generation)
        .compile(
            compiled -> {
              ServletWebServerApplicationContext application =
                  new ServletWebServerApplicationContext();
              configure(application, "mintmark.secret", SECRET);
              @SuppressWarnings("unchecked")
              ApplicationContextInitializer<ConfigurableApplicationContext> generated =
                  compiled.getInstance(ApplicationContextInitializer.class);
              generated.initialize(application);
              try (application) {
                application.refresh();
                WebClient client = new WebClient(application);
                String face =
                    application
                        .getBean(Masks.class)
                        .find(PaymentId.class)
                        .orElseThrow()
                        .show(new PaymentId(1));

                assertThat(client.get("/payments/" + face).body())
                    .isEqualTo("{\"id\":\"%s\"}".formatted(face));
                assertThat(client.get("/payments/PM1").status()).isEqualTo(400);
                assertThat(client.get("/payments/PM1").json().path("parameter").asString())
                    .isEqualTo("id");
              }
            });
  }

  @Test
  void hintsHaveTheValuesTheCatalogAndEveryStatement() throws IOException {
    RuntimeHints hints = new RuntimeHints();
    new MintmarkRuntimeHints().registerHints(hints, getClass().getClassLoader());

    for (Class<?> value : VALUES) {
      assertThat(RuntimeHintsPredicates.reflection().onMethodInvocation(value, "valueOf"))
          .as(value.getName())
          .accepts(hints);
    }
    assertThat(RuntimeHintsPredicates.resource().forResource("mintmark.yaml")).accepts(hints);
    try (Stream<Path> files = Files.walk(POSTGRES)) {
      List<String> statements =
          files
              .filter(file -> file.toString().endsWith(".sql"))
              .map(file -> POSTGRES.relativize(file).toString().replace('\\', '/'))
              .toList();
      assertThat(statements)
          .hasSizeGreaterThan(20)
          .allMatch(name -> RuntimeHintsPredicates.resource().forResource(name).test(hints));
    }
  }
}
