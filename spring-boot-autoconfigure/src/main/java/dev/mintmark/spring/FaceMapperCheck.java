package dev.mintmark.spring;

import dev.mintmark.Catalog;
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
 * bodies without them. Only the mapper of JSON has faces by itself, and only with mintmark-jackson:
 * XML, CBOR, Smile and YAML have mappers of their own as soon as their library is on the class
 * path.
 */
final class FaceMapperCheck implements SmartInitializingSingleton {
  /** The registration id of the module of mintmark-jackson for faces, which may be absent. */
  private static final String FACES = "mintmark faces";

  private final Catalog catalog;
  private final Supplier<Stream<Object>> converters;

  /**
   * @param converters the converters of Spring MVC, or the encoders and decoders of WebFlux
   */
  FaceMapperCheck(Catalog catalog, Supplier<Stream<Object>> converters) {
    this.catalog = catalog;
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
            .filter(FaceMapperCheck::isPlain)
            .map(converter -> converter.getClass().getName())
            .distinct()
            .toList();
    if (!plain.isEmpty()) {
      throw new StartFailure(
          "The catalog declares a face of %s, and bodies would have plain identifiers by %s."
              .formatted(String.join(", ", collections), String.join(", ", plain)),
          "For JSON, add the dependency dev.mintmark:mintmark-jackson. For other formats, add"
              + " MintmarkModule.withFaces(masks) to the mapper (for XML with Spring MVC in a bean of"
              + " the class XmlMapper), remove the converter or the library of the format, or set"
              + " mintmark.web.plain-formats=true if no identifier leaves in this format.");
    }
  }

  private static boolean isPlain(Object converter) {
    ObjectMapper mapper = mapper(converter);
    return mapper == null
        ? isOfJackson2(converter)
        : mapper.registeredModules().stream()
            .noneMatch(module -> module.getRegistrationId().equals(FACES));
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
