package dev.mintmark.spring;

import dev.mintmark.Catalog;
import dev.mintmark.Masks;
import dev.mintmark.jackson.JsonPointers;
import dev.mintmark.jackson.MintmarkModule;
import java.util.Optional;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.http.converter.autoconfigure.ServerHttpMessageConvertersCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.Order;
import org.springframework.http.converter.json.JacksonJsonHttpMessageConverter;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JacksonModule;
import tools.jackson.databind.json.JsonMapper;

/** Identifiers in JSON: plain text in the application's mapper, faces in bodies of HTTP alone. */
@AutoConfiguration(
    after = MintmarkMasksAutoConfiguration.class,
    afterName = "org.springframework.boot.jackson.autoconfigure.JacksonAutoConfiguration")
@ConditionalOnClass({MintmarkModule.class, JsonMapper.class})
final class MintmarkJacksonAutoConfiguration {
  MintmarkJacksonAutoConfiguration() {}

  /** Spring Boot adds it to every mapper that it builds. */
  @Bean
  @ConditionalOnMissingBean(name = "mintmarkJacksonModule")
  static JacksonModule mintmarkJacksonModule(
      DeclaredIdTypes types, ObjectProvider<Catalog> catalog) {
    Catalog known = catalog.getIfAvailable();
    return known == null
        ? MintmarkModule.of(types.beans())
        : MintmarkModule.of(known, types.beans());
  }

  /** For the answer to a request with a malformed identifier. */
  @Bean
  static BodyPointer mintmarkJacksonPointer() {
    return failure ->
        failure instanceof JacksonException jackson
            ? Optional.of(JsonPointers.of(jackson))
            : Optional.empty();
  }

  /** In applications with Spring MVC. */
  @Configuration(proxyBeanMethods = false)
  @ConditionalOnClass({
    ServerHttpMessageConvertersCustomizer.class,
    JacksonJsonHttpMessageConverter.class
  })
  @ConditionalOnBean({Masks.class, JsonMapper.class})
  @ConditionalOnBooleanProperty(name = "mintmark.web.faces", matchIfMissing = true)
  static final class FacesInBodies {
    FacesInBodies() {}

    @Bean
    @ConditionalOnMissingBean(name = "mintmarkFacesInBodies")
    @Order(Ordered.LOWEST_PRECEDENCE)
    static ServerHttpMessageConvertersCustomizer mintmarkFacesInBodies(
        JsonMapper mapper, Masks masks, DeclaredIdTypes types) {
      JsonMapper edge = EdgeMapper.of(mapper, masks, types);
      return converters -> converters.withJsonConverter(new JacksonJsonHttpMessageConverter(edge));
    }
  }
}
