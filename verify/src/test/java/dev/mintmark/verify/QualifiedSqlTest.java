package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/**
 * Every call of a function of PostgreSQL in our {@code .sql} files names its schema. Otherwise a
 * role that may create functions in a schema on the {@code search_path} could have its own function
 * called, with the rights of the role that runs the statement: a function with the exact types of
 * the arguments is preferred to one of {@code pg_catalog} that takes any type.
 *
 * <p>Files that run with a pinned {@code search_path} are exempt, each with its reason, in {@code
 * sql-with-pinned-path.txt}.
 */
class QualifiedSqlTest {
  private static final String EXEMPT = "/dev/mintmark/verify/sql-with-pinned-path.txt";

  /** Comments, texts and quoted names; then a name before a parenthesis, without a schema. */
  private static final Pattern TOKEN =
      Pattern.compile(
          "--[^\n]*|'(?:[^']|'')*'|\"[^\"]*\"|(?<![.\\w:$%])(?<name>[a-z_][a-z0-9_]*)\\s*\\(");

  /** Names before a parenthesis that PostgreSQL does not look up on the path, or that are ours. */
  private static final Set<String> GRAMMAR =
      Set.of(
          ("all and any array as by cast check coalesce distinct except exists extract filter from"
                  + " greatest grouping having in index inherits into intersect is join key lateral"
                  + " least like limit materialized not nullif on operator or over overlay"
                  + " partition position primary range references returning row select set similar some"
                  + " substring then trim unique union using values when where with"
                  // types with a length
                  + " bit bpchar char character decimal interval numeric time timestamp varchar")
              .split(" "));

  /** After these a name is declared, not called. */
  private static final Pattern DECLARATION =
      Pattern.compile(
          "(?:\\b(?:as|into|table|on|references|index|recursive|with|update|function|procedure)"
              + "|\\)|,)\\s*$");

  @Test
  void everyCallNamesItsSchema() {
    Map<String, String> exempt = exempt();
    Map<String, Set<String>> found = new TreeMap<>();
    for (Path file : sqlFiles()) {
      String path = Checkout.root().relativize(file).toString().replace('\\', '/');
      Set<String> calls = unqualifiedCalls(text(file));
      if (!calls.isEmpty() && exempt.keySet().stream().noneMatch(path::startsWith)) {
        found.put(path, calls);
      }
    }

    assertThat(found).isEmpty();
  }

  /** A reason that is no longer needed would hide the next call. */
  @Test
  void everyExemptionIsNeeded() {
    List<String> paths =
        sqlFiles().stream()
            .filter(file -> !unqualifiedCalls(text(file)).isEmpty())
            .map(file -> Checkout.root().relativize(file).toString().replace('\\', '/'))
            .toList();

    exempt()
        .forEach(
            (prefix, reason) -> {
              assertThat(paths).as(prefix).anyMatch(path -> path.startsWith(prefix));
              assertThat(reason).as(prefix).hasSizeGreaterThan(10);
            });
  }

  @Test
  void callsAreFound() {
    assertThat(
            unqualifiedCalls(
                """
                -- now() in a comment
                with recursive part (oid) as (select max(n) from pg_catalog.unnest(:a::text[]) k (n))
                select 'f()', "g"(1), count (*), coalesce(x, 1), pg_catalog.now(), unnest(:a, :b)
                from part, unnest(:c::bigint[]) as asked (client, slot)
                """))
        .containsExactly("count", "max", "unnest");
  }

  private static List<Path> sqlFiles() {
    List<Path> files =
        Sources.MAIN.files(".sql").stream()
            .filter(file -> !file.toString().contains("warehouse"))
            .toList();
    assertThat(files).hasSizeGreaterThan(100);
    return files;
  }

  private static Set<String> unqualifiedCalls(String sql) {
    Set<String> calls = new TreeSet<>();
    Matcher token = TOKEN.matcher(sql);
    while (token.find()) {
      String name = token.group("name");
      if (name != null
          && !GRAMMAR.contains(name)
          && !isDeclared(sql, token.start(), name)
          && !isUnnestOfSeveral(sql, token.end(), name)) {
        calls.add(name);
      }
    }
    return calls;
  }

  /** {@code from x as asked (client)}, {@code with part (oid) as}, {@code insert into t (a)}. */
  private static boolean isDeclared(String sql, int start, String name) {
    String before = sql.substring(Math.max(0, start - 40), start);
    Matcher declaration = DECLARATION.matcher(before);
    if (!declaration.find()) {
      return false;
    }
    // After a comma or a parenthesis only a common table expression or an alias is declared.
    String after = sql.substring(start + name.length());
    return !declaration.group().stripLeading().matches("[),]\\s*")
        || Pattern.compile("^\\s*\\([a-z0-9_, ]*\\)\\s*(as\\s|\n|\\)|;|$)").matcher(after).find();
  }

  /** PostgreSQL replaces {@code unnest} of several arrays by its own, without a look-up. */
  private static boolean isUnnestOfSeveral(String sql, int arguments, String name) {
    int depth = 1;
    for (int i = arguments; name.equals("unnest") && i < sql.length() && depth > 0; i++) {
      char c = sql.charAt(i);
      depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
      if (c == ',' && depth == 1) {
        return true;
      }
    }
    return false;
  }

  private static Map<String, String> exempt() {
    Map<String, String> exempt = new LinkedHashMap<>();
    try (var file = QualifiedSqlTest.class.getResourceAsStream(EXEMPT)) {
      if (file == null) {
        throw new IllegalStateException("no " + EXEMPT);
      }
      new String(file.readAllBytes(), java.nio.charset.StandardCharsets.UTF_8)
          .lines()
          .filter(line -> !line.isBlank() && !line.startsWith("#"))
          .forEach(
              line -> {
                String[] parts = line.split(" \\| ", 2);
                exempt.put(parts[0].strip(), parts[1].strip());
              });
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return exempt;
  }

  private static String text(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
