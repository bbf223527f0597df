package dev.mintmark.app.http;

import dev.mintmark.app.access.Scope;
import dev.mintmark.app.service.RowSearch;
import jakarta.servlet.http.HttpServletRequest;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Decides which collections a request may search, and so which tables are asked for it. Every
 * request for rows passes here, and nothing else decides.
 */
class RowAccess {
  private final RowSearch search;

  RowAccess(RowSearch search) {
    this.search = search;
  }

  /**
   * The columns that the request may see, by collection: those that the catalog declares, of the
   * collections that its key permits.
   */
  Map<String, List<String>> allowed(HttpServletRequest request) {
    Caller caller = Caller.of(request);
    Map<String, List<String>> allowed = new LinkedHashMap<>(search.searchable());
    allowed.keySet().removeIf(collection -> !caller.may(Scope.Kind.FIND, collection));
    return allowed;
  }
}
