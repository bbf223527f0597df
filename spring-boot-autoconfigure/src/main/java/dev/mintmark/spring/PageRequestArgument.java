package dev.mintmark.spring;

import dev.mintmark.Quoted;
import dev.mintmark.postgres.page.PageRequest;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.context.request.RequestAttributes;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/**
 * Reads a {@link PageRequest} from the parameters of a request:
 *
 * <pre>
 *   ?limit=25                the first page
 *   ?after=CURSOR&amp;limit=25   the page after a cursor
 *   ?before=CURSOR           the page before a cursor, the last row first
 *   ?before=                 the last page, the last row first
 * </pre>
 */
final class PageRequestArgument implements HandlerMethodArgumentResolver {
  /** The attribute of a request with the parameter that has its cursor. */
  static final String CURSOR_PARAMETER = PageRequestArgument.class.getName() + ".cursor";

  private static final String AFTER = "after";
  private static final String BEFORE = "before";
  private static final String LIMIT = "limit";

  private final MintmarkProperties.Pages properties;

  PageRequestArgument(MintmarkProperties.Pages properties) {
    this.properties = properties;
  }

  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return parameter.getParameterType() == PageRequest.class;
  }

  /**
   * @throws PageParameterException if the limit is out of range, a parameter is repeated, or there
   *     are two cursors
   */
  @Override
  public PageRequest resolveArgument(
      MethodParameter parameter,
      @Nullable ModelAndViewContainer container,
      NativeWebRequest request,
      @Nullable WebDataBinderFactory binders) {
    Optional<String> after = single(request, AFTER);
    Optional<String> before = single(request, BEFORE);
    int limit = limit(request);
    if (after.isPresent() && before.isPresent()) {
      throw new PageParameterException(BEFORE, "after and before are both given: expected one");
    }
    if (before.isPresent()) {
      return before.get().isEmpty()
          ? PageRequest.last(limit)
          : PageRequest.before(cursor(request, BEFORE, before.get()), limit);
    }
    return after.isEmpty() || after.get().isEmpty()
        ? PageRequest.first(limit)
        : PageRequest.after(cursor(request, AFTER, after.get()), limit);
  }

  private static String cursor(NativeWebRequest request, String name, String cursor) {
    request.setAttribute(CURSOR_PARAMETER, name, RequestAttributes.SCOPE_REQUEST);
    return cursor;
  }

  private int limit(NativeWebRequest request) {
    Optional<String> text = single(request, LIMIT);
    if (text.isEmpty()) {
      return properties.limitDefault();
    }
    try {
      int limit = Integer.parseInt(text.get());
      if (limit >= 1 && limit <= properties.limitMax()) {
        return limit;
      }
    } catch (NumberFormatException e) {
      // Fails below with the same exception.
    }
    throw new PageParameterException(
        LIMIT,
        "limit is %s: expected 1 to %s".formatted(Quoted.of(text.get()), properties.limitMax()));
  }

  private static Optional<String> single(NativeWebRequest request, String name) {
    String[] values = request.getParameterValues(name);
    if (values != null && values.length > 1) {
      throw new PageParameterException(
          name, "%s is given %s times: expected once".formatted(name, values.length));
    }
    return values == null ? Optional.empty() : Optional.of(values[0]);
  }
}
