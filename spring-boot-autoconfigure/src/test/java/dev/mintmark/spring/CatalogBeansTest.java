package dev.mintmark.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.mintmark.Catalog;
import dev.mintmark.InCollection;
import dev.mintmark.Keyring;
import dev.mintmark.Mask;
import dev.mintmark.Masks;
import dev.mintmark.Mint;
import dev.mintmark.Order;
import dev.mintmark.Puris;
import dev.mintmark.Ulid;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;

/** The catalog of an application, its keyring and its faces, without a server. */
class CatalogBeansTest {
  private static final String SECRET = "a:MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY=";

  private static final String YAML =
      """
      namespace: shop
      collections:
        payments: { kind: sequence, prefix: PM, width: 6, face: { mask: pay, key-label: payments } }
        mandates: { kind: uuidv7, face: { mask: man, key-label: mandates } }
        countries: { kind: text }
      """;

  private static final AutoConfigurations OURS =
      AutoConfigurations.of(
          MintmarkAutoConfiguration.class,
          MintmarkCatalogAutoConfiguration.class,
          MintmarkMasksAutoConfiguration.class,
          MintmarkWebAutoConfiguration.class,
          WebMvcAutoConfiguration.class);

  @TempDir private Path directory;

  @InCollection("payments")
  record PaymentId(long value) {}

  private ApplicationContextRunner application() {
    return new ApplicationContextRunner().withConfiguration(OURS);
  }

  private WebApplicationContextRunner web() {
    return new WebApplicationContextRunner().withConfiguration(OURS);
  }

  private String catalog(String yaml) {
    try {
      Path file = directory.resolve("mintmark.yaml");
      Files.writeString(file, yaml);
      return "mintmark.catalog=file:" + file;
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static FailureAnalysis analysis(@Nullable Throwable failure) {
    FailureAnalysis analysis = new StartFailureAnalyzer().analyze(Objects.requireNonNull(failure));
    return Objects.requireNonNull(analysis);
  }

  @Test
  void withoutACatalogThereIsNoneOfItsBeans() {
    application()
        .run(
            context -> {
              assertThat(context).doesNotHaveBean(Catalog.class);
              assertThat(context).doesNotHaveBean(Puris.class);
              assertThat(context).doesNotHaveBean(Keyring.class);
              assertThat(context).doesNotHaveBean(Masks.class);
            });
  }

  @Test
  void catalogIsReadByOurReader() {
    application()
        .withPropertyValues(catalog(YAML), "mintmark.secret=" + SECRET)
        .run(
            context -> {
              assertThat(context.getBean(Catalog.class).namespace()).isEqualTo("shop");
              assertThat(context.getBean(Puris.class).parse("SHOP:payments:PM000007"))
                  .hasToString("shop:payments:PM000007");
              assertThat(context.getBean(Masks.class).find(PaymentId.class)).isPresent();
            });
  }

  @Test
  void beansOfTheApplicationTakeTheirPlace() {
    Catalog own = new Catalog("own", List.of(), List.of());

    application()
        .withPropertyValues(catalog("nonsense"))
        .withBean(Catalog.class, () -> own)
        .run(context -> assertThat(context.getBean(Catalog.class)).isSameAs(own));
  }

  @Configuration(proxyBeanMethods = false)
  static class OwnMint {
    @Bean
    Mint<Ulid> mine() {
      return Mint.ofUlids(Order.RANDOM);
    }
  }

  @Test
  void mintOfTheApplicationTakesThePlaceOfTheSameType() {
    application()
        .withUserConfiguration(OwnMint.class)
        .run(
            context ->
                assertThat(context.getBeansOfType(Mint.class))
                    .containsOnlyKeys("mine", "uuidMint"));
  }

  @Test
  void wrongCatalogFailsWithFileLineAndRemedy() {
    application()
        .withPropertyValues(
            catalog("namespace: shop\ncollections: { payments: { kind: nothing } }\n"))
        .run(
            context -> {
              FailureAnalysis analysis = analysis(context.getStartupFailure());
              assertThat(analysis.getDescription())
                  .startsWith("The catalog is rejected: " + directory.resolve("mintmark.yaml:2"));
              assertThat(analysis.getAction()).contains("mintmark catalog check");
            });
  }

  @Test
  void missingCatalogFails() {
    application()
        .withPropertyValues("mintmark.catalog=classpath:none.yaml")
        .run(
            context ->
                assertThat(analysis(context.getStartupFailure()).getDescription())
                    .isEqualTo(
                        "mintmark.catalog is classpath:none.yaml, and there is no such file."));
  }

  @Test
  void faceWithoutAKeyringFailsTheStartOfAWebApplication() {
    web()
        .withPropertyValues(catalog(YAML))
        .run(
            context -> {
              FailureAnalysis analysis = analysis(context.getStartupFailure());
              assertThat(analysis.getDescription())
                  .isEqualTo(
                      "The catalog declares a face of payments, mandates, and there is no keyring to"
                          + " make faces.");
              assertThat(analysis.getAction()).contains("mintmark.secret-file");
            });
    web()
        .withPropertyValues(catalog(YAML), "mintmark.web.faces=false")
        .run(context -> assertThat(context).hasNotFailed());
    application()
        .withPropertyValues(catalog(YAML))
        .run(context -> assertThat(context).hasNotFailed());
  }

  @Test
  void malformedSecretIsNotQuoted() {
    application()
        .withPropertyValues("mintmark.secret=a:hunter2")
        .run(
            context ->
                assertThat(analysis(context.getStartupFailure()).getDescription())
                    .startsWith("The keyring is rejected: ")
                    .doesNotContain("hunter2"));
  }

  @Test
  void secretIsReadFromAFile() throws IOException {
    Path file = directory.resolve("secret");
    Files.writeString(file, SECRET + "\n");

    application()
        .withPropertyValues("mintmark.secret-file=" + file)
        .run(context -> assertThat(context.getBean(Keyring.class).keys()).containsExactly('a'));
  }

  @Test
  void facesAreOpenedAtTheEdgeAlone() {
    web()
        .withConfiguration(FaceMapperCheckTest.JSON)
        .withPropertyValues(catalog(YAML), "mintmark.secret=" + SECRET)
        .run(
            context -> {
              ConversionService edge =
                  context.getBean("mvcConversionService", ConversionService.class);
              Mask<PaymentId> mask =
                  context.getBean(Masks.class).find(PaymentId.class).orElseThrow();
              PaymentId payment = new PaymentId(1);
              String face = mask.show(payment);

              assertThat(face).startsWith("pay_a");
              assertThat(edge.convert(face, PaymentId.class)).isEqualTo(payment);
              assertThat(edge.convert(payment, String.class)).isEqualTo(face);
              assertThat(catchThrowable(() -> edge.convert("PM000001", PaymentId.class)))
                  .hasRootCauseMessage(
                      "malformed face \"PM000001\": it has 8 characters: expected 31");

              // Configuration properties have the plain text.
              IdTypeConverter inside = context.getBean(IdTypeConverter.class);
              assertThat(
                      inside.convert(
                          "PM000001",
                          TypeDescriptor.valueOf(String.class),
                          TypeDescriptor.valueOf(PaymentId.class)))
                  .isEqualTo(payment);
            });
  }
}
