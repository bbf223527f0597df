package dev.mintmark.spring;

import dev.mintmark.Catalog;
import dev.mintmark.Masks;
import dev.mintmark.jackson.MintmarkModule;
import java.util.stream.Stream;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.format.FormatterRegistry;
import org.springframework.http.codec.CodecConfigurer;
import org.springframework.http.codec.DecoderHttpMessageReader;
import org.springframework.http.codec.EncoderHttpMessageWriter;
import org.springframework.http.codec.JacksonCodecSupport;
import org.springframework.http.codec.ServerCodecConfigurer;
import org.springframework.http.codec.json.JacksonJsonDecoder;
import org.springframework.http.codec.json.JacksonJsonEncoder;
import org.springframework.web.reactive.config.WebFluxConfigurer;
import org.springframework.web.reactive.result.method.annotation.RequestMappingHandlerAdapter;
import tools.jackson.databind.ObjectMapper;
import tools.jackson.databind.json.JsonMapper;

/** Faces, and answers to requests with malformed identifiers, in applications with WebFlux. */
@AutoConfiguration(
    after = {MintmarkAutoConfiguration.class, MintmarkMasksAutoConfiguration.class},
    afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.REACTIVE)
@ConditionalOnClass(WebFluxConfigurer.class)
final class MintmarkWebFluxAutoConfiguration {
  MintmarkWebFluxAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBooleanProperty(name = "mintmark.web.problems", matchIfMissing = true)
  static ReactiveIdProblems mintmarkReactiveIdProblems(ObjectProvider<BodyPointer> pointers) {
    return new ReactiveIdProblems(pointers.orderedStream().toList());
  }

  /** Faces at the edge: requests and answers have them, and everything inside does not. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnBean(Catalog.class)
  @ConditionalOnBooleanProperty(name = "mintmark.web.faces", matchIfMissing = true)
  static final class Faces {
    Faces() {}

    @Bean
    static FaceCheck mintmarkFaceCheck(Catalog catalog, ObjectProvider<Masks> masks) {
      return new FaceCheck(catalog, masks);
    }

    @Bean
    @ConditionalOnBean(Masks.class)
    static WebFluxConfigurer mintmarkFaces(Masks masks, DeclaredIdTypes types) {
      return new FaceFormatters(masks, types);
    }

    @Bean
    @ConditionalOnBean(Masks.class)
    static SmartInitializingSingleton mintmarkFaceConversion(
        Masks masks, DeclaredIdTypes types, ObjectProvider<RequestMappingHandlerAdapter> adapters) {
      return () ->
          adapters.forEach(
              adapter -> FaceConversion.addTo(adapter.getWebBindingInitializer(), masks, types));
    }
  }

  /** Before Boot's own, which adds the converter of plain texts: the first that matches is used. */
  @Order(-1)
  private static final class FaceFormatters implements WebFluxConfigurer {
    private final Masks masks;
    private final DeclaredIdTypes types;

    FaceFormatters(Masks masks, DeclaredIdTypes types) {
      this.masks = masks;
      this.types = types;
    }

    @Override
    public void addFormatters(FormatterRegistry registry) {
      FaceFormat.addTo(registry, masks, types);
      registry.addConverter(new FaceConverter(masks, types));
    }
  }

  /** Mentions Jackson, so it is a class of its own. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({MintmarkModule.class, JsonMapper.class})
  @ConditionalOnBean({Masks.class, JsonMapper.class})
  @ConditionalOnBooleanProperty(name = "mintmark.web.faces", matchIfMissing = true)
  static final class FacesInBodies {
    FacesInBodies() {}

    @Bean
    @ConditionalOnMissingBean(name = "mintmarkFacesInCodecs")
    static WebFluxConfigurer mintmarkFacesInCodecs(
        JsonMapper mapper, Masks masks, DeclaredIdTypes types) {
      return new EdgeCodecs(EdgeMapper.of(mapper, masks, types));
    }
  }

  /**
   * Mentions Jackson too, and applies also if there is no mapper for JSON, or no module of ours.
   */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({JacksonCodecSupport.class, ObjectMapper.class})
  @ConditionalOnBean({Catalog.class, Masks.class})
  @ConditionalOnBooleanProperty(name = "mintmark.web.faces", matchIfMissing = true)
  static final class FacesInCodecs {
    FacesInCodecs() {}

    @Bean
    @ConditionalOnBooleanProperty(
        name = "mintmark.web.plain-formats",
        havingValue = false,
        matchIfMissing = true)
    static FaceMapperCheck mintmarkFaceMapperCheck(
        Catalog catalog, ObjectProvider<ServerCodecConfigurer> configurers) {
      return new FaceMapperCheck(
          catalog, () -> configurers.stream().flatMap(FacesInCodecs::codecs));
    }

    private static Stream<Object> codecs(ServerCodecConfigurer configurer) {
      Stream<Object> decoders =
          configurer.getReaders().stream()
              .filter(reader -> reader instanceof DecoderHttpMessageReader)
              .map(reader -> ((DecoderHttpMessageReader<?>) reader).getDecoder());
      Stream<Object> encoders =
          configurer.getWriters().stream()
              .filter(writer -> writer instanceof EncoderHttpMessageWriter)
              .map(writer -> ((EncoderHttpMessageWriter<?>) writer).getEncoder());
      return Stream.concat(decoders, encoders);
    }
  }

  /** After Boot's own. Not a CodecCustomizer: that one would give faces to clients of HTTP too. */
  @Order(Ordered.LOWEST_PRECEDENCE)
  private static final class EdgeCodecs implements WebFluxConfigurer {
    private final JsonMapper edge;

    EdgeCodecs(JsonMapper edge) {
      this.edge = edge;
    }

    @Override
    public void configureHttpMessageCodecs(ServerCodecConfigurer configurer) {
      CodecConfigurer.DefaultCodecs codecs = configurer.defaultCodecs();
      codecs.jacksonJsonEncoder(new JacksonJsonEncoder(edge));
      codecs.jacksonJsonDecoder(new JacksonJsonDecoder(edge));
    }
  }
}
