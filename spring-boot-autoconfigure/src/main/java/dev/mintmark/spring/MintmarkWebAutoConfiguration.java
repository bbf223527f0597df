package dev.mintmark.spring;

import dev.mintmark.Catalog;
import dev.mintmark.Masks;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnWebApplication;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.annotation.Order;
import org.springframework.format.FormatterRegistry;
import org.springframework.http.converter.AbstractJacksonHttpMessageConverter;
import org.springframework.web.servlet.DispatcherServlet;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerAdapter;
import tools.jackson.databind.ObjectMapper;

/** Answers to requests with malformed identifiers, in applications with Spring MVC. */
@AutoConfiguration(after = {MintmarkAutoConfiguration.class, MintmarkMasksAutoConfiguration.class})
@ConditionalOnWebApplication(type = ConditionalOnWebApplication.Type.SERVLET)
@ConditionalOnClass(DispatcherServlet.class)
final class MintmarkWebAutoConfiguration {
  MintmarkWebAutoConfiguration() {}

  @Bean
  @ConditionalOnMissingBean
  @ConditionalOnBooleanProperty(name = "mintmark.web.problems", matchIfMissing = true)
  static MalformedIdProblems mintmarkMalformedIdProblems(
      ObjectProvider<BodyPointer> pointers, ApplicationContext application) {
    return new MalformedIdProblems(pointers.orderedStream().toList(), application);
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
    static WebMvcConfigurer mintmarkFaces(Masks masks, DeclaredIdTypes types) {
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

  /** Mentions Jackson, so it is a class of its own. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({AbstractJacksonHttpMessageConverter.class, ObjectMapper.class})
  @ConditionalOnBean({Catalog.class, Masks.class})
  @ConditionalOnBooleanProperty(name = "mintmark.web.faces", matchIfMissing = true)
  static final class FacesInConverters {
    FacesInConverters() {}

    @Bean
    @ConditionalOnBooleanProperty(
        name = "mintmark.web.plain-formats",
        havingValue = false,
        matchIfMissing = true)
    static FaceMapperCheck mintmarkFaceMapperCheck(
        Catalog catalog, ObjectProvider<RequestMappingHandlerAdapter> adapters) {
      return new FaceMapperCheck(
          catalog,
          () -> adapters.stream().flatMap(adapter -> adapter.getMessageConverters().stream()));
    }
  }

  /** Before Boot's own, which adds the converter of plain texts: the first that matches is used. */
  @Order(-1)
  private static final class FaceFormatters implements WebMvcConfigurer {
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
}
