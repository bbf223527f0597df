package dev.mintmark.postgres.page;

import static dev.mintmark.postgres.page.Incidents.after;
import static dev.mintmark.postgres.page.Incidents.before;
import static dev.mintmark.postgres.page.Incidents.execute;
import static dev.mintmark.postgres.page.Incidents.first;
import static dev.mintmark.postgres.page.Incidents.last;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** The plans of pages of a table of a million rows, half of them in the scope. */
@Tag("long")
class PagePlanTest {
  private static final TestDatabase DATABASE = TestServer.NEWEST.createDatabase();

  private static final PageOrder BY_TIME =
      PageOrder.plain(PageOrder.descending("at"), PageOrder.ascending("id"));
  private static final PageOrder BY_TIME_DOWN =
      PageOrder.plain(PageOrder.descending("at"), PageOrder.descending("id"));

  @BeforeAll
  static void fill() {
    DATABASE.execute(
        """
        create unlogged table incidents (
          id uuid not null default uuidv7(),
          organisation_id text not null,
          number int not null,
          at timestamptz not null,
          xid xid8 not null default pg_current_xact_id()
        )
        """);
    for (int part = 0; part < 4; part++) {
      // In several transactions, so that the rows have different transaction ids.
      DATABASE.execute(
          """
          insert into incidents (organisation_id, number, at)
          select case when n % 2 = 0 then 'acme' else 'org' || n % 100 end, n, now() - interval '1 s' * (n % 1000)
          from generate_series(1, 250000) n
          """);
    }
    for (PageOrder order : List.of(Incidents.BY_ID.orByTransaction("xid"), BY_TIME, BY_TIME_DOWN)) {
      for (String statement : Incidents.pages(order).indexStatements()) {
        DATABASE.execute(statement.replace("create index", "create unique index"));
      }
    }
    DATABASE.execute("vacuum analyze incidents");
  }

  static Stream<PageOrder> orders() {
    return Stream.of(
        Incidents.BY_ID,
        Incidents.BY_TRANSACTION,
        Incidents.BY_WINDOW,
        Incidents.NAIVE,
        BY_TIME,
        BY_TIME_DOWN);
  }

  @ParameterizedTest
  @MethodSource("orders")
  void everyPageIsAnIndexScan(PageOrder order) throws SQLException {
    KeysetPages<Integer> pages = Incidents.pages(order);
    boolean forwardsOnly = order instanceof PageOrder.Window;
    try (Connection connection = DATABASE.dataSource().getConnection()) {
      Recorded recorded = new Recorded(connection);
      Page<Integer> page = pages.read(recorded.connection(), first(100));
      page = pages.read(recorded.connection(), after(page, 100));
      if (!forwardsOnly) {
        pages.read(recorded.connection(), before(page, 100));
        page = pages.read(recorded.connection(), last(100));
        pages.read(recorded.connection(), before(page, 100));
        pages.read(recorded.connection(), after(page, 100));
      }

      assertThat(recorded.statements()).hasSizeGreaterThanOrEqualTo(forwardsOnly ? 8 : 12);
      for (Run run : recorded.statements()) {
        assertThat(run.plan())
            .as("%s%n%s", run.sql(), run.mode())
            .containsPattern("Index (Only )?Scan (Backward )?using ")
            .containsPattern("Index Cond: .*organisation_id.*")
            .doesNotContain("Seq Scan", "Bitmap", "Sort");
      }
    }
  }

  /** A statement, the plan cache mode and the plan. */
  private record Run(String sql, String mode, String plan) {}

  /** Records the plans of the statements on the table that a connection runs. */
  private record Recorded(Connection real, List<Run> statements) {
    Recorded(Connection real) {
      this(real, new ArrayList<>());
    }

    /** Records the custom plan and the generic plan of a statement. */
    private void recordPlans(String sql, Map<Integer, Object> values) throws SQLException {
      String numbered = sql;
      for (int i = 1; i <= values.size(); i++) {
        numbered = numbered.replaceFirst("\\?", "\\$" + i);
      }
      String types = String.join(", ", values.values().stream().map(Recorded::type).toList());
      String literals =
          String.join(", ", values.values().stream().map(value -> "'" + value + "'").toList());
      execute(real, "prepare page(" + types + ") as " + numbered);
      for (String mode : List.of("force_custom_plan", "force_generic_plan")) {
        execute(real, "set local plan_cache_mode = " + mode);
        StringBuilder plan = new StringBuilder();
        try (Statement statement = real.createStatement();
            ResultSet row = statement.executeQuery("explain execute page(" + literals + ")")) {
          while (row.next()) {
            plan.append(row.getString(1)).append('\n');
          }
        }
        statements.add(new Run(sql, mode, plan.toString()));
      }
      execute(real, "deallocate page");
    }

    private static String type(Object value) {
      return value instanceof Integer ? "integer" : value instanceof UUID ? "uuid" : "varchar";
    }

    Connection connection() {
      return proxy(
          Connection.class,
          (method, arguments) -> {
            Object result = call(real, method, arguments);
            boolean ofTable =
                method.getName().equals("prepareStatement")
                    && arguments[0].toString().contains("from \"incidents\"");
            return ofTable ? recorded((PreparedStatement) result, arguments[0].toString()) : result;
          });
    }

    private PreparedStatement recorded(PreparedStatement statement, String sql) {
      Map<Integer, Object> values = new TreeMap<>();
      return proxy(
          PreparedStatement.class,
          (method, arguments) -> {
            if (method.getName().equals("setObject")) {
              values.put((Integer) arguments[0], arguments[1]);
            } else if (method.getName().equals("executeQuery")) {
              recordPlans(sql, values);
            }
            return call(statement, method, arguments);
          });
    }

    private interface Call {
      Object answer(Method method, Object[] arguments) throws Throwable;
    }

    private static <T> T proxy(Class<T> type, Call call) {
      return type.cast(
          Proxy.newProxyInstance(
              type.getClassLoader(),
              new Class<?>[] {type},
              (proxy, method, arguments) -> call.answer(method, arguments)));
    }

    private static Object call(Object on, Method method, Object[] arguments) throws Throwable {
      try {
        return method.invoke(on, arguments);
      } catch (InvocationTargetException e) {
        throw e.getCause();
      }
    }
  }
}
