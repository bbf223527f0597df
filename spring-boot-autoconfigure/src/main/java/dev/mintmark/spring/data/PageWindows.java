package dev.mintmark.spring.data;

import dev.mintmark.postgres.page.KeysetPages;
import dev.mintmark.postgres.page.Page;
import dev.mintmark.postgres.page.PageOrder;
import dev.mintmark.postgres.page.PageRequest;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import javax.sql.DataSource;
import org.springframework.dao.DataAccessException;
import org.springframework.data.domain.KeysetScrollPosition;
import org.springframework.data.domain.ScrollPosition;
import org.springframework.data.domain.Window;
import org.springframework.jdbc.UncategorizedSQLException;
import org.springframework.jdbc.support.SQLStateSQLExceptionTranslator;

/**
 * Gap-free pages as windows of Spring Data. The positions of a window are keyset positions whose
 * only key, {@value #CURSOR}, is the signed cursor of {@link Page}, so a client cannot make one.
 *
 * <p>As in Spring Data, the rows of a window are in the order of the pages in both directions. The
 * position of the last row scrolls forward, and that of the first row backward: these two are what
 * {@code WindowIterator} asks for. A cursor lies between two rows, so a position that is reversed
 * reads its own row again. Positions of rows in the middle are not known: {@link
 * Window#positionAt(int)} throws {@link IllegalStateException}, and {@link Window#hasPosition(int)}
 * returns false. In pages by window ({@link PageOrder#byWindow}) only the last row has one.
 *
 * <p>A window does not say whether an open transaction holds rows back ({@link Page#heldBack}). At
 * the end, poll with the last position: rows that were held back follow it.
 *
 * <p>Immutable, and so safe in any number of threads. Each window is read in a transaction of its
 * own.
 *
 * <pre>{@code
 * PageWindows<Incident> windows =
 *     PageWindows.of(incidents, dataSource).in("organisation_id", organisation);
 * WindowIterator<Incident> all =
 *     WindowIterator.of(position -> windows.scroll(position, 100)).startingAt(ScrollPosition.keyset());
 * }</pre>
 *
 * @param <T> the type of the value that is read from a row
 */
public final class PageWindows<T> {
  /** The key of a position. */
  public static final String CURSOR = "cursor";

  private final KeysetPages<T> pages;
  private final DataSource dataSource;
  private final Map<String, Object> scope;

  private PageWindows(KeysetPages<T> pages, DataSource dataSource, Map<String, Object> scope) {
    this.pages = pages;
    this.dataSource = dataSource;
    this.scope = Collections.unmodifiableMap(scope);
  }

  /** Returns the windows of these pages in this database. */
  public static <T> PageWindows<T> of(KeysetPages<T> pages, DataSource dataSource) {
    return new PageWindows<>(pages, dataSource, Map.of());
  }

  /**
   * Returns the windows of rows with this value in a column of the scope, as {@link PageRequest#in}
   * does.
   */
  public PageWindows<T> in(String column, Object value) {
    Map<String, Object> more = new LinkedHashMap<>(scope);
    more.put(column, value);
    return new PageWindows<>(pages, dataSource, more);
  }

  /** Returns the position of the cursor that a client has sent, to read the rows after it. */
  public static KeysetScrollPosition after(String cursor) {
    return ScrollPosition.forward(Map.of(CURSOR, cursor));
  }

  /** Returns the position of the cursor that a client has sent, to read the rows before it. */
  public static KeysetScrollPosition before(String cursor) {
    return ScrollPosition.backward(Map.of(CURSOR, cursor));
  }

  /**
   * Returns the cursor of a position, to be sent to a client; empty if the position is initial.
   *
   * @throws IllegalArgumentException if the position is not one of such windows
   */
  public static Optional<String> cursor(ScrollPosition position) {
    if (!(position instanceof KeysetScrollPosition keyset)) {
      throw new IllegalArgumentException(
          "%s: expected a keyset position: begin with ScrollPosition.keyset()".formatted(position));
    }
    if (keyset.isInitial()) {
      return Optional.empty();
    }
    if (keyset.getKeys().size() == 1 && keyset.getKeys().get(CURSOR) instanceof String cursor) {
      return Optional.of(cursor);
    }
    throw new IllegalArgumentException(
        "position with the keys %s: expected a cursor alone, as windows of these pages have it"
            .formatted(keyset.getKeys().keySet()));
  }

  /**
   * Reads the rows after a position, or before it if it scrolls backward. The initial position
   * begins at the first row, and backward at the last.
   *
   * @param limit 1 to {@value PageRequest#LIMIT_MAX} rows
   * @throws dev.mintmark.postgres.page.CursorException if the cursor cannot be used
   * @throws dev.mintmark.postgres.page.PageRefusedException if a condition of the order does not
   *     hold
   * @throws IllegalArgumentException as {@link #cursor}, or if the limit is out of range, or the
   *     scope has no value
   * @throws DataAccessException if the database fails
   */
  public Window<T> scroll(ScrollPosition position, int limit) {
    Optional<String> cursor = cursor(position);
    boolean backward = ((KeysetScrollPosition) position).scrollsBackward();
    PageRequest request =
        backward
            ? cursor.map(at -> PageRequest.before(at, limit)).orElse(PageRequest.last(limit))
            : cursor.map(at -> PageRequest.after(at, limit)).orElse(PageRequest.first(limit));
    for (Map.Entry<String, Object> each : scope.entrySet()) {
      request = request.in(each.getKey(), each.getValue());
    }
    try {
      return window(pages.read(dataSource, request), backward);
    } catch (SQLException e) {
      throw translated(e);
    }
  }

  private static <T> Window<T> window(Page<T> page, boolean backward) {
    List<T> rows = new ArrayList<>(page.rows());
    if (backward) {
      Collections.reverse(rows);
    }
    int last = rows.size() - 1;
    return Window.from(
        List.copyOf(rows),
        index -> {
          // A window of one row continues in the direction in which it was read.
          if (index == last && !(backward && index == 0)) {
            return after(page.after());
          }
          if (index == 0 && !(page.order() instanceof PageOrder.Window)) {
            return before(page.before());
          }
          throw new IllegalStateException(
              "row %s of a window of %s rows has no position: only the first and the last have one"
                  .formatted(index, rows.size()));
        },
        page.hasMore());
  }

  private static DataAccessException translated(SQLException e) {
    DataAccessException known =
        new SQLStateSQLExceptionTranslator().translate("read of a page", null, e);
    return known != null ? known : new UncategorizedSQLException("read of a page", null, e);
  }
}
