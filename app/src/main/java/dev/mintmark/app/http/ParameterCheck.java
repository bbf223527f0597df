package dev.mintmark.app.http;

import dev.mintmark.Quoted;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.lang.reflect.Method;
import java.math.BigInteger;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.HandlerInterceptor;

/**
 * Rejects query parameters that an operation does not have, a second value of a parameter that has
 * one, and a value that is not written as the type of its parameter is. Without it, a misspelled
 * filter would be ignored and the response would be too large; an empty number would be the
 * default, {@code 0x10} would be 16, and {@code yes} would be true. A text with U+0000, which
 * PostgreSQL rejects, would look like a failure of the database.
 *
 * <p>The keys of a form are no parameters: {@link BodyFilter} reads its body before Tomcat does.
 */
final class ParameterCheck implements HandlerInterceptor {
  /** Decimal, with no more digits than 64 bits need. */
  private static final Pattern INTEGER = Pattern.compile("-?[0-9]{1,19}");

  /** The parameters of each operation by name. */
  private final Map<Method, Map<String, Type>> known = new ConcurrentHashMap<>();

  /** The type of a parameter. */
  private enum Type {
    TEXT("a text", text -> true),
    TEXTS("a text", text -> true),
    BOOLEAN("true or false", text -> text.equals("true") || text.equals("false")),
    INT("an integer of 32 bits", text -> isInteger(text, Integer.SIZE)),
    LONG("an integer of 64 bits", text -> isInteger(text, Long.SIZE));

    private static final Map<Class<?>, Type> OF_CLASS =
        Map.of(
            String.class, TEXT,
            String[].class, TEXTS,
            boolean.class, BOOLEAN,
            int.class, INT,
            long.class, LONG,
            Long.class, LONG);

    private final String expected;

    @SuppressWarnings("ImmutableEnumChecker") // Its functions have no state.
    private final Predicate<String> test;

    Type(String expected, Predicate<String> test) {
      this.expected = expected;
      this.test = test;
    }

    static Type of(Class<?> type) {
      return Objects.requireNonNull(OF_CLASS.get(type), type::getName);
    }

    private static boolean isInteger(String text, int bits) {
      return INTEGER.matcher(text).matches() && new BigInteger(text).bitLength() < bits;
    }
  }

  /**
   * Checks the parameters of a request.
   *
   * @throws ProblemException if one is unknown, repeated or malformed
   */
  @Override
  public boolean preHandle(
      HttpServletRequest request, HttpServletResponse response, Object handler) {
    if (handler instanceof HandlerMethod operation && isOurs(operation)) {
      Map<String, Type> types =
          known.computeIfAbsent(operation.getMethod(), method -> parameters(operation));
      request.getParameterMap().forEach((name, values) -> check(types, name, values));
    }
    return true;
  }

  private static void check(Map<String, Type> types, String name, String[] values) {
    Type type = types.get(name);
    if (type == null) {
      throw new ProblemException(
          ProblemCode.UNKNOWN_PARAMETER,
          types.isEmpty()
              ? "unknown parameter %s: this operation has no parameters".formatted(Quoted.of(name))
              : "unknown parameter %s: known are %s"
                  .formatted(Quoted.of(name), String.join(", ", types.keySet())));
    }
    if (values.length > 1 && type != Type.TEXTS) {
      throw new ProblemException(
          ProblemCode.REPEATED_PARAMETER,
          "parameter %s is given more than once".formatted(Quoted.of(name)));
    }
    if (!type.test.test(values[0])) {
      throw new ProblemException(
          ProblemCode.WRONG_TYPE,
          "parameter %s is %s: expected %s"
              .formatted(Quoted.of(name), Quoted.of(values[0]), type.expected));
    }
    if (type == Type.TEXT && values[0].indexOf('\0') >= 0) {
      throw new ProblemException(
          ProblemCode.INVALID_REQUEST,
          "parameter %s has the character U+0000".formatted(Quoted.of(name)));
    }
  }

  private static boolean isOurs(HandlerMethod operation) {
    return operation.getBeanType().getPackage().equals(ParameterCheck.class.getPackage());
  }

  private static Map<String, Type> parameters(HandlerMethod operation) {
    Map<String, Type> parameters = new LinkedHashMap<>();
    for (MethodParameter parameter : operation.getMethodParameters()) {
      RequestParam declared = parameter.getParameterAnnotation(RequestParam.class);
      if (declared != null) {
        String name =
            declared.name().isEmpty() ? parameter.getParameter().getName() : declared.name();
        parameters.put(name, Type.of(parameter.getParameterType()));
      }
    }
    return parameters;
  }
}
