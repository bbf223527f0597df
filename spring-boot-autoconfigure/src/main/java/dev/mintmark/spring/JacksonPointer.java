package dev.mintmark.spring;

import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.stream.Collectors;
import org.springframework.web.util.UriUtils;
import tools.jackson.core.JacksonException;

/** The place of an error in a body that Jackson 3 read. */
final class JacksonPointer implements BodyPointer {
  @Override
  public Optional<String> find(Throwable failure) {
    if (!(failure instanceof JacksonException jackson) || jackson.getPath().isEmpty()) {
      return Optional.empty();
    }
    return Optional.of(
        jackson.getPath().stream()
            .map(JacksonPointer::token)
            .collect(Collectors.joining("/", "#/", "")));
  }

  private static String token(JacksonException.Reference step) {
    String name = step.getPropertyName();
    if (name == null) {
      return Integer.toString(step.getIndex());
    }
    String escaped = name.replace("~", "~0").replace("/", "~1");
    return UriUtils.encode(escaped, StandardCharsets.UTF_8);
  }
}
