package dev.mintmark.spring;

import dev.mintmark.MalformedIdException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.TypeMismatchException;
import org.springframework.boot.json.JsonWriter;
import org.springframework.core.Ordered;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.validation.BindingResult;
import org.springframework.validation.FieldError;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers a request with a malformed identifier with 400 and a problem document (RFC 9457), which
 * says where the identifier is and what is wrong with it.
 *
 * <p>Only for identifiers that Spring read: a path variable, a parameter, a field of a form, the
 * body. A {@link MalformedIdException} that the application throws may concern stored data, and is
 * not an error of the client. A controller with an {@code @ExceptionHandler} of its own for the
 * exception keeps it.
 */
final class MalformedIdProblems implements HandlerExceptionResolver, Ordered {
  private static final JsonWriter<Map<String, Object>> JSON = JsonWriter.standard();

  private final List<BodyPointer> pointers;

  /** Where an identifier is, and what is wrong with it. */
  private record Finding(String member, Optional<String> place, String reason) {}

  MalformedIdProblems(List<BodyPointer> pointers) {
    this.pointers = List.copyOf(pointers);
  }

  /** Before Spring's own, which answers 400 without the reason, or 500. */
  @Override
  public int getOrder() {
    return -1;
  }

  @Override
  public @Nullable ModelAndView resolveException(
      HttpServletRequest request,
      HttpServletResponse response,
      @Nullable Object handler,
      Exception failure) {
    Optional<Finding> finding = find(failure);
    if (finding.isEmpty() || isHandledBy(handler, failure) || response.isCommitted()) {
      return null;
    }
    write(request, response, finding.get());
    return new ModelAndView();
  }

  private Optional<Finding> find(Exception failure) {
    if (failure instanceof MethodArgumentTypeMismatchException mismatch) {
      return malformed(failure).map(reason -> parameter(mismatch.getName(), reason));
    }
    if (failure instanceof HttpMessageNotReadableException) {
      return malformed(failure).map(reason -> new Finding("pointer", pointer(failure), reason));
    }
    if (failure instanceof BindingResult form) {
      return form.getFieldErrors().stream().flatMap(MalformedIdProblems::ofField).findFirst();
    }
    return Optional.empty();
  }

  private static Stream<Finding> ofField(FieldError error) {
    return error.contains(TypeMismatchException.class)
        ? malformed(error.unwrap(TypeMismatchException.class)).stream()
            .map(reason -> parameter(error.getField(), reason))
        : Stream.empty();
  }

  private static Finding parameter(String name, String reason) {
    return new Finding("parameter", Optional.of(name), reason);
  }

  private static Optional<String> malformed(Throwable failure) {
    return causes(failure)
        .filter(MalformedIdException.class::isInstance)
        .map(cause -> String.valueOf(cause.getMessage()))
        .findFirst();
  }

  private Optional<String> pointer(Throwable failure) {
    return causes(failure)
        .flatMap(cause -> pointers.stream().flatMap(known -> known.find(cause).stream()))
        .findFirst();
  }

  private static Stream<Throwable> causes(Throwable failure) {
    return Stream.iterate(failure, cause -> cause != null, Throwable::getCause);
  }

  private static boolean isHandledBy(@Nullable Object handler, Exception failure) {
    return handler instanceof HandlerMethod method
        && new ExceptionHandlerMethodResolver(method.getBeanType()).resolveMethod(failure) != null;
  }

  private static void write(
      HttpServletRequest request, HttpServletResponse response, Finding finding) {
    Map<String, Object> problem = new LinkedHashMap<>();
    problem.put("type", "about:blank");
    problem.put("title", "Malformed identifier");
    problem.put("status", HttpStatus.BAD_REQUEST.value());
    problem.put("detail", finding.reason);
    problem.put("instance", request.getRequestURI());
    problem.put("code", "malformed-identifier");
    finding.place.ifPresent(place -> problem.put(finding.member, place));
    response.setStatus(HttpStatus.BAD_REQUEST.value());
    response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
    try {
      response
          .getOutputStream()
          .write(JSON.writeToString(problem).getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
