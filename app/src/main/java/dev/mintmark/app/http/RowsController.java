package dev.mintmark.app.http;

import dev.mintmark.Quoted;
import dev.mintmark.app.service.RowSearch;
import dev.mintmark.app.view.RowSearchJson;
import dev.mintmark.app.view.SearchableCollectionJson;
import dev.mintmark.postgres.search.RowAnswer;
import jakarta.servlet.http.HttpServletRequest;
import java.sql.SQLException;
import java.util.Collection;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/rows}: finds the row that an identifier names. */
@RestController
@RequestMapping(
    path = "/v1/rows",
    produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
class RowsController {
  private static final Logger LOG = LoggerFactory.getLogger(RowsController.class);

  private final RowSearch search;
  private final RowAccess access;

  RowsController(RowSearch search, RowAccess access) {
    this.search = search;
    this.access = access;
  }

  @GetMapping
  RowSearchJson findRows(
      @RequestParam String id,
      @RequestParam(required = false) @Nullable String collection,
      HttpServletRequest request)
      throws SQLException {
    Collection<String> asked = asked(access.allowed(request).keySet(), collection);
    List<RowAnswer> answers = search.find(id, asked);
    return RowSearchJson.of(id, answers.stream().map(RowsController::withoutMessage).toList());
  }

  @GetMapping("/collections")
  List<SearchableCollectionJson> listSearchable(HttpServletRequest request) {
    return access.allowed(request).entrySet().stream()
        .map(entry -> new SearchableCollectionJson(entry.getKey(), entry.getValue()))
        .toList();
  }

  private static Collection<String> asked(Collection<String> allowed, @Nullable String collection) {
    if (collection == null && !allowed.isEmpty()) {
      return allowed;
    }
    if (collection != null && allowed.contains(collection)) {
      return List.of(collection);
    }
    throw new ProblemException(
        ProblemCode.FIND_OFF,
        collection == null
            ? "no collection of the catalog declares find: { columns: [...] }"
            : "collection %s cannot be searched: expected one of %s"
                .formatted(Quoted.of(collection), allowed));
  }

  /** A message of PostgreSQL may contain values: it goes to the log, not to the client. */
  private static RowAnswer withoutMessage(RowAnswer answer) {
    if (answer instanceof RowAnswer.NotLookedAt failed
        && failed.reason() == RowAnswer.Reason.FAILED) {
      LOG.warn("search of collection {} failed: {}", failed.collection(), failed.detail());
      return new RowAnswer.NotLookedAt(
          failed.collection(), failed.reason(), "the database reported an error: see the log");
    }
    return answer;
  }
}
