package dev.mintmark.spring;

import dev.mintmark.Catalog;
import dev.mintmark.Masks;
import dev.mintmark.jackson.MintmarkModule;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.http.codec.JacksonCodecSupport;
import org.springframework.http.converter.AbstractJacksonHttpMessageConverter;
import tools.jackson.databind.ObjectMapper;

/**
 * Fails the start of a web application whose catalog declares faces if Jackson would read or write
 * bodies without them. Only the mapper of JSON has faces by itself: XML, CBOR, Smile and YAML have
 * mappers of their own as soon as their library is on the class path.
 */
final class FaceMapperCheck implements SmartInitializingSingleton {
  private final Catalog catalog;
  private final Object faces;
  private final Supplier<Stream<Object>> converters;

  /**
   * @param converters the converters of Spring MVC, or the encoders and decoders of WebFlux
   */
  FaceMapperCheck(Catalog catalog, Masks masks, Supplier<Stream<Object>> converters) {
    this.catalog = catalog;
    this.faces = MintmarkModule.withFaces(masks).getRegistrationId();
    this.converters = converters;
  }

  @Override
  public void afterSingletonsInstantiated() {
    List<String> collections = FaceCheck.collectionsWithFace(catalog);
    if (collections.isEmpty()) {
      return;
    }
    List<String> plain =
        converters
            .get()
            .filter(this::isPlain)
            .map(converter -> converter.getClass().getName())
            .distinct()
            .toList();
    if (!plain.isEmpty()) {
      throw new StartFailure(
          "The catalog declares a face of %s, and bodies would have plain identifiers by %s."
              .formatted(String.join(", ", collections), String.join(", ", plain)),
          "Add MintmarkModule.withFaces(masks) to the mapper (for XML with Spring MVC in a bean of"
              + " the class XmlMapper), remove the converter or the library of its format, or set"
              + " mintmark.web.plain-formats=true if no identifier leaves in this format.");
    }
  }

  private boolean isPlain(Object converter) {
    ObjectMapper mapper = mapper(converter);
    return mapper == null
        ? isOfJackson2(converter)
        : mapper.registeredModules().stream()
            .noneMatch(module -> module.getRegistrationId().equals(faces));
  }

  private static @Nullable ObjectMapper mapper(Object converter) {
    if (converter instanceof AbstractJacksonHttpMessageConverter<?> ofMvc) {
      return ofMvc.getMapper();
    }
    return converter instanceof JacksonCodecSupport<?> ofWebFlux ? ofWebFlux.getMapper() : null;
  }

  /** By the name, because Jackson 2 may not be there. Spring has no converter of it with faces. */
  private static boolean isOfJackson2(Object converter) {
    return Stream.<Class<?>>iterate(
            converter.getClass(), type -> type != null, type -> type.getSuperclass())
        .map(Class::getName)
        .anyMatch(
            name -> name.startsWith("org.springframework.http.") && name.contains("Jackson2"));
  }
}
