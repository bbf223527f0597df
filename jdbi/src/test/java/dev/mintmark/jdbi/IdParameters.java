package dev.mintmark.jdbi;

import dev.mintmark.IdType;
import dev.mintmark.IdTypes;
import dev.mintmark.MalformedIdException;
import jakarta.ws.rs.BadRequestException;
import jakarta.ws.rs.ext.ParamConverter;
import jakarta.ws.rs.ext.ParamConverterProvider;
import jakarta.ws.rs.ext.Provider;
import java.lang.annotation.Annotation;
import java.lang.reflect.Type;
import org.jspecify.annotations.Nullable;

/** The provider of docs/jdbc-libraries.md. */
@Provider
public final class IdParameters implements ParamConverterProvider {
  @Override
  public <T> @Nullable ParamConverter<T> getConverter(
      Class<T> rawType, Type genericType, Annotation[] annotations) {
    return IdTypes.find(rawType).map(IdParameters::converter).orElse(null);
  }

  private static <T> ParamConverter<T> converter(IdType<T> type) {
    return new ParamConverter<>() {
      @Override
      public T fromString(String text) {
        try {
          return type.parse(text);
        } catch (MalformedIdException e) {
          throw new BadRequestException(e.getMessage(), e);
        }
      }

      @Override
      public String toString(T id) {
        return type.format(id);
      }
    };
  }
}
