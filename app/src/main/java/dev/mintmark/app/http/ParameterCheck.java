package dev.mintmark.app.http;

import dev.mintmark.Quoted;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.springframework.core.MethodParameter;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Rejects query parameters that an operation does not have, and a second value of a parameter that
 * has one. Without it, a misspelled filter would be ignored and the response would be too large.
 */
final class ParameterCheck implements HandlerInterceptor {
  /** For each operation: the names of its parameters, and whether each may be repeated. */
  private final Map<Method, Map<String, Boolean>> known = new ConcurrentHashMap<>();

  /**
   * Checks the parameters of a request.
   *
   * @throws ProblemException if one is unknown or repeated
   */
  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (handler instanceof HandlerMethod operation && isOurs(operation) && !isForm(request)) {
      Map<String, Boolean> repeatable =
          known.computeIfAbsent(operation.getMethod(), method -> parameters(operation));
      request
          .getParameterMap()
          .forEach((name, values) -> check(repeatable, name, values.length > 1));
    }
    return true;
  }

  private static void check(Map<String, Boolean> repeatable, String name, boolean isRepeated) {
    if (!repeatable.containsKey(name)) {
      throw new ProblemException(
          ProblemCode.UNKNOWN_PARAMETER,
          repeatable.isEmpty()
              ? "unknown parameter %s: this operation has no parameters".formatted(Quoted.of(name))
              : "unknown parameter %s: known are %s"
                  .formatted(Quoted.of(name), String.join(", ", repeatable.keySet())));
    }
    if (isRepeated && !Boolean.TRUE.equals(repeatable.get(name))) {
      throw new ProblemException(
          ProblemCode.REPEATED_PARAMETER,
          "parameter %s is given more than once".formatted(Quoted.of(name)));
    }
  }

  /** The keys of a form look like parameters. It is rejected later, for its content type. */
  private static boolean isForm(HttpServletRequest request) {
    String type = request.getContentType();
    return type != null && type.startsWith(MediaType.APPLICATION_FORM_URLENCODED_VALUE);
  }

  private static boolean isOurs(HandlerMethod operation) {
    return operation.getBeanType().getPackage().equals(ParameterCheck.class.getPackage());
  }

  private static Map<String, Boolean> parameters(HandlerMethod operation) {
    Map<String, Boolean> parameters = new LinkedHashMap<>();
    for (MethodParameter parameter : operation.getMethodParameters()) {
      RequestParam declared = parameter.getParameterAnnotation(RequestParam.class);
      if (declared != null) {
        String name =
            declared.name().isEmpty() ? parameter.getParameter().getName() : declared.name();
        parameters.put(name, parameter.getParameterType().isArray());
      }
    }
    return parameters;
  }
}
