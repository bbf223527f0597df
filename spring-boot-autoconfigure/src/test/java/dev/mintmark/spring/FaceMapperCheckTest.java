package dev.mintmark.spring;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.Masks;
import dev.mintmark.jackson.MintmarkModule;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.http.converter.autoconfigure.HttpMessageConvertersAutoConfiguration;
import org.springframework.boot.http.converter.autoconfigure.ServerHttpMessageConvertersCustomizer;
import org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.AbstractApplicationContextRunner;
import org.springframework.boot.test.context.runner.ReactiveWebApplicationContextRunner;
import org.springframework.boot.test.context.runner.WebApplicationContextRunner;
import org.springframework.boot.webflux.autoconfigure.WebFluxAutoConfiguration;
import org.springframework.boot.webmvc.autoconfigure.WebMvcAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.MediaType;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.codec.json.JacksonJsonDecoder;
import org.springframework.http.codec.json.JacksonJsonEncoder;
import org.springframework.http.converter.AbstractJacksonHttpMessageConverter;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import tools.jackson.databind.json.JsonMapper;

/** Formats besides JSON, which have mappers of their own. */
@Tag("slow")
class FaceMapperCheckTest {
  /** The configurations by which JSON has faces. */
  static final AutoConfigurations JSON =
      AutoConfigurations.of(
          JacksonAutoConfiguration.class,
          HttpMessageConvertersAutoConfiguration.class,
          MintmarkJacksonAutoConfiguration.class);

  private static final AutoConfigurations OURS =
      AutoConfigurations.of(
          MintmarkAutoConfiguration.class,
          MintmarkCatalogAutoConfiguration.class,
          MintmarkMasksAutoConfiguration.class,
          MintmarkWebAutoConfiguration.class,
          MintmarkWebFluxAutoConfiguration.class,
          WebMvcAutoConfiguration.class,
          WebFluxAutoConfiguration.class);

  private static final Catalog CATALOG =
      new Catalog(
          "shop",
          List.of(
              CollectionSpec.builder("payments", Kind.SEQUENCE)
                  .prefix("PM")
                  .face(new CollectionSpec.Face("pay", "payments"))
                  .build()),
          List.of());

  /** As that of Spring for XML, CBOR, Smile or YAML. */
  private static final class OtherFormat extends AbstractJacksonHttpMessageConverter<JsonMapper> {
    OtherFormat(JsonMapper.Builder mapper) {
      super(mapper, MediaType.APPLICATION_CBOR);
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class Plain {
    @Bean
    static ServerHttpMessageConvertersCustomizer other() {
      return converters -> converters.addCustomConverter(new OtherFormat(JsonMapper.builder()));
    }

    @Bean
    static WebFluxConfigurer otherCodec() {
      return codec(JsonMapper.builder());
    }
  }

  @Configuration(proxyBeanMethods = false)
  static class WithFaces {
    @Bean
    static ServerHttpMessageConvertersCustomizer other(Masks masks) {
      return converters -> converters.addCustomConverter(new OtherFormat(withFaces(masks)));
    }

    @Bean
    static WebFluxConfigurer otherCodec(Masks masks) {
      return codec(withFaces(masks));
    }
  }

  private static JsonMapper.Builder withFaces(Masks masks) {
    return JsonMapper.builder().addModule(MintmarkModule.withFaces(masks));
  }

  private static WebFluxConfigurer codec(JsonMapper.Builder mapper) {
    return new WebFluxConfigurer() {
      @Override
      public void configureHttpMessageCodecs(ServerCodecConfigurer configurer) {
        configurer
            .customCodecs()
            .register(new JacksonJsonEncoder(mapper, MediaType.APPLICATION_CBOR));
      }
    };
  }

  @Test
  void jsonHasFaces() {
    run(new WebApplicationContextRunner(), "");
    run(new ReactiveWebApplicationContextRunner(), "");
  }

  @Test
  void jsonWithoutTheModuleFailsTheStart() {
    FilteredClassLoader without = new FilteredClassLoader("dev.mintmark.jackson");

    run(
        new WebApplicationContextRunner().withClassLoader(without),
        JacksonJsonHttpMessageConverter.class.getName());
    run(
        new ReactiveWebApplicationContextRunner().withClassLoader(without),
        JacksonJsonDecoder.class.getName() + ", " + JacksonJsonEncoder.class.getName());
  }

  @Test
  void mapperWithoutFacesFailsTheStart() {
    run(
        new WebApplicationContextRunner().withUserConfiguration(Plain.class),
        OtherFormat.class.getName());
    run(
        new ReactiveWebApplicationContextRunner().withUserConfiguration(Plain.class),
        JacksonJsonEncoder.class.getName());
  }

  @ParameterizedTest
  @ValueSource(strings = {"mintmark.web.faces=false", "mintmark.web.plain-formats=true"})
  void mapperWithoutFacesIsOfNoAccountIfFacesAreOffOrItIsAllowed(String off) {
    run(
        new WebApplicationContextRunner()
            .withUserConfiguration(Plain.class)
            .withPropertyValues(off),
        "");
    run(
        new ReactiveWebApplicationContextRunner()
            .withUserConfiguration(Plain.class)
            .withPropertyValues(off),
        "");
  }

  @Test
  void mapperWithFacesIsInOrder() {
    run(new WebApplicationContextRunner().withUserConfiguration(WithFaces.class), "");
    run(new ReactiveWebApplicationContextRunner().withUserConfiguration(WithFaces.class), "");
  }

  /**
   * Starts an application.
   *
   * @param converter the converter of which the failure tells; empty if there is none
   */
  private static void run(AbstractApplicationContextRunner<?, ?, ?> application, String converter) {
    application
        .withConfiguration(OURS)
        .withConfiguration(JSON)
        .withBean(Catalog.class, () -> CATALOG)
        .withPropertyValues("mintmark.secret=a:MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY=")
        .run(
            context -> {
              Throwable failure = context.getStartupFailure();
              if (converter.isEmpty()) {
                assertThat(failure).isNull();
              } else {
                assertThat(failure)
                    .isInstanceOf(StartFailure.class)
                    .hasMessage(
                        "The catalog declares a face of payments, and bodies would have plain"
                            + " identifiers by %s.",
                        converter);
              }
            });
  }
}
