package dev.mintmark.spring;

import java.lang.annotation.Annotation;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.core.Ordered;
import org.springframework.core.annotation.AnnotationUtils;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ServerHttpResponse;
import org.springframework.validation.BindingResult;
import org.springframework.web.server.ServerWebExchange;
import org.springframework.web.server.ServerWebInputException;
import org.springframework.web.server.WebExceptionHandler;
import reactor.core.publisher.Mono;

/**
 * Answers a request with a malformed or retired identifier as {@link MalformedIdProblems} does, in
 * applications with WebFlux. An {@code @ExceptionHandler} of the application takes precedence,
 * because it is asked before handlers like this.
 */
final class ReactiveIdProblems implements WebExceptionHandler, Ordered {
  private final List<BodyPointer> pointers;

  ReactiveIdProblems(List<BodyPointer> pointers) {
    this.pointers = List.copyOf(pointers);
  }

  /** Before Boot's own, which answers 400 without the reason. */
  @Override
  public int getOrder() {
    return -2;
  }

  @Override
  public Mono<Void> handle(ServerWebExchange exchange, Throwable failure) {
    Optional<IdProblem> problem = find(failure);
    return problem.isEmpty() || exchange.getResponse().isCommitted()
        ? Mono.error(failure)
        : write(exchange, problem.get().document());
  }

  private Optional<IdProblem> find(Throwable failure) {
    if (failure instanceof BindingResult form) {
      return IdProblem.ofForm(form);
    }
    if (!(failure instanceof ServerWebInputException input)) {
      return Optional.empty();
    }
    return name(input.getMethodParameter())
        .map(name -> IdProblem.ofParameter(name, failure))
        .orElseGet(() -> IdProblem.ofBody(failure, pointers));
  }

  /** The name of a path variable or parameter in the request; empty if it is the body. */
  private static Optional<String> name(@Nullable MethodParameter parameter) {
    if (parameter == null) {
      return Optional.empty();
    }
    return Stream.of(parameter.getParameterAnnotations())
        .filter(ReactiveIdProblems::isNamed)
        .findFirst()
        .flatMap(
            annotation ->
                Optional.ofNullable(AnnotationUtils.getValue(annotation))
                    .map(String::valueOf)
                    .filter(name -> !name.isEmpty())
                    .or(() -> Optional.ofNullable(parameter.getParameterName())));
  }

  /** Whether it names a part of the request, as {@code @PathVariable} and its like do. */
  private static boolean isNamed(Annotation annotation) {
    Class<?> type = annotation.annotationType();
    return type.getPackageName().equals("org.springframework.web.bind.annotation")
        && AnnotationUtils.getDefaultValue(annotation, "name") != null;
  }

  private static Mono<Void> write(ServerWebExchange exchange, ProblemDocument problem) {
    ServerHttpResponse response = exchange.getResponse();
    response.setStatusCode(problem.status());
    response.getHeaders().setContentType(MediaType.APPLICATION_PROBLEM_JSON);
    byte[] document = problem.json(exchange.getRequest().getURI().getRawPath());
    return response.writeWith(Mono.just(response.bufferFactory().wrap(document)));
  }
}
