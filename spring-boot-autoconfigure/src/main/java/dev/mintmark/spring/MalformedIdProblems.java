package dev.mintmark.spring;

import dev.mintmark.MalformedIdException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.springframework.context.ApplicationContext;
import org.springframework.core.Ordered;
import org.springframework.http.converter.HttpMessageNotReadableException;
import org.springframework.util.function.SingletonSupplier;
import org.springframework.validation.BindingResult;
import org.springframework.web.method.ControllerAdviceBean;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.method.annotation.ExceptionHandlerMethodResolver;
import org.springframework.web.method.annotation.MethodArgumentTypeMismatchException;
import org.springframework.web.servlet.HandlerExceptionResolver;
import org.springframework.web.servlet.ModelAndView;

/**
 * Answers a request with a malformed identifier with 400 and a problem document (RFC 9457), which
 * says where the identifier is and what is wrong with it, in applications with Spring MVC. An old
 * face whose time has ended is answered with 410.
 *
 * <p>Only for identifiers that Spring read: a path variable, a parameter, a field of a form, the
 * body. A {@link MalformedIdException} that the application throws may concern stored data, and is
 * not an error of the client. An {@code @ExceptionHandler} of the application takes precedence, in
 * a controller or in a {@code @ControllerAdvice}.
 */
final class MalformedIdProblems implements HandlerExceptionResolver, Ordered {
  private final List<BodyPointer> pointers;
  private final Supplier<List<ControllerAdviceBean>> advice;

  MalformedIdProblems(List<BodyPointer> pointers, ApplicationContext application) {
    this.pointers = List.copyOf(pointers);
    this.advice =
        SingletonSupplier.of(
            () ->
                ControllerAdviceBean.findAnnotatedBeans(application).stream()
                    .filter(MalformedIdProblems::isOfTheApplication)
                    .toList());
  }

  /**
   * Boot's own, which is there with spring.mvc.problemdetails.enabled, does not know the reason.
   */
  private static boolean isOfTheApplication(ControllerAdviceBean advice) {
    Class<?> type = advice.getBeanType();
    return type != null && !type.getName().startsWith("org.springframework.boot.");
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
    Optional<IdProblem> problem = find(failure);
    if (problem.isEmpty() || isHandledBy(handler, failure) || response.isCommitted()) {
      return null;
    }
    return ServletProblems.send(request, response, problem.get().document());
  }

  private Optional<IdProblem> find(Exception failure) {
    if (failure instanceof MethodArgumentTypeMismatchException mismatch) {
      return IdProblem.ofParameter(mismatch.getName(), failure);
    }
    if (failure instanceof HttpMessageNotReadableException) {
      return IdProblem.ofBody(failure, pointers);
    }
    return failure instanceof BindingResult form ? IdProblem.ofForm(form) : Optional.empty();
  }

  private boolean isHandledBy(@Nullable Object handler, Exception failure) {
    Class<?> controller = handler instanceof HandlerMethod method ? method.getBeanType() : null;
    return (controller != null && handles(controller, failure))
        || Objects.requireNonNull(advice.get()).stream()
            .filter(each -> each.isApplicableToBeanType(controller))
            .anyMatch(each -> handles(Objects.requireNonNull(each.getBeanType()), failure));
  }

  private static boolean handles(Class<?> handlers, Exception failure) {
    return new ExceptionHandlerMethodResolver(handlers).resolveMethod(failure) != null;
  }
}
