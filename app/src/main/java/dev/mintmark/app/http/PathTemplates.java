package dev.mintmark.app.http;

import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.http.server.PathContainer;
import org.springframework.web.servlet.HandlerMapping;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import org.springframework.web.util.pattern.PathPattern;

/**
 * The templates of paths, {@code /v1/pools/{pool}} for {@code /v1/pools/ports}: values in a path
 * may be names of customers. Safe for use by many threads.
 */
final class PathTemplates {
  /** For a path of no operation: it may be anything, even a key. */
  static final String NONE = "-";

  private final ObjectProvider<RequestMappingHandlerMapping> operations;
  private volatile @Nullable List<PathPattern> known;

  PathTemplates(ObjectProvider<RequestMappingHandlerMapping> operations) {
    this.operations = operations;
  }

  /** Returns the template of the path of a request, also of one that reached no operation. */
  String of(HttpServletRequest request) {
    Object matched = request.getAttribute(HandlerMapping.BEST_MATCHING_PATTERN_ATTRIBUTE);
    if (matched != null) {
      return matched.toString();
    }
    String path = request.getRequestURI();
    if (path == null) {
      return NONE;
    }
    try {
      return of(PathContainer.parsePath(path));
    } catch (IllegalArgumentException e) {
      return NONE; // It is not percent-encoded correctly.
    }
  }

  private String of(PathContainer segments) {
    for (PathPattern pattern : known()) {
      if (pattern.matches(segments)) {
        return pattern.getPatternString();
      }
    }
    return NONE;
  }

  private List<PathPattern> known() {
    List<PathPattern> patterns = known;
    if (patterns == null) {
      patterns =
          operations.getObject().getHandlerMethods().keySet().stream()
              .map(RequestMappingInfo::getPathPatternsCondition)
              .filter(condition -> condition != null)
              .flatMap(condition -> condition.getPatterns().stream())
              .distinct()
              .sorted()
              .toList();
      known = patterns;
    }
    return patterns;
  }
}
