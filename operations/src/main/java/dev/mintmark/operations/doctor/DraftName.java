package dev.mintmark.operations.doctor;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** What the tables of a database are called in a catalog, and what columns that refer to them. */
final class DraftName {
  private static final int LENGTH_MAX = 63;
  private static final Pattern WORD_START = Pattern.compile("(?<=[a-z0-9])(?=[A-Z])");
  private static final Pattern OTHER = Pattern.compile("[^a-z0-9]+");

  private DraftName() {}

  /**
   * Returns a name for each table, in their order, no two the same: that of the table in the form
   * of the catalog, with its schema before it where another table has it too and the schema is not
   * {@code public}, and a number after it if that is not enough.
   */
  static List<String> ofAll(List<DraftTable> tables) {
    Map<String, Integer> counts = new HashMap<>();
    tables.forEach(table -> counts.merge(of(table.name()), 1, Integer::sum));
    List<String> names = new ArrayList<>();
    Set<String> taken = new HashSet<>();
    for (DraftTable table : tables) {
      String alone = of(table.name());
      boolean qualified = counts.getOrDefault(alone, 0) > 1 && !table.schema().equals("public");
      names.add(numbered(qualified ? of(table.schema() + "-" + table.name()) : alone, taken));
    }
    return names;
  }

  /** Returns {@code order-lines} for {@code OrderLines}; of a name without a letter of ASCII x. */
  static String of(String name) {
    String words = WORD_START.matcher(name).replaceAll("-").toLowerCase(Locale.ROOT);
    String kebab = OTHER.matcher(words).replaceAll("-");
    int start = kebab.startsWith("-") ? 1 : 0;
    int end = kebab.endsWith("-") ? kebab.length() - 1 : kebab.length();
    String trimmed = start < end ? kebab.substring(start, end) : "x";
    return cut(Character.isDigit(trimmed.charAt(0)) ? "x" + trimmed : trimmed, LENGTH_MAX);
  }

  private static String numbered(String name, Set<String> taken) {
    String free = name;
    for (int number = 2; !taken.add(free); number++) {
      String end = "-" + number;
      free = cut(name, LENGTH_MAX - end.length()) + end;
    }
    return free;
  }

  private static String cut(String name, int length) {
    return name.substring(0, Math.min(name.length(), length));
  }

  /**
   * Returns what a column is called that refers to a table, as {@link #plain} writes it: {@code
   * orderid} of a table {@code orders} with a key {@code id}.
   */
  static Set<String> ofReferences(String table, String key) {
    Set<String> names = new TreeSet<>();
    for (String stem : stems(plain(table))) {
      names.add(stem + "id");
      names.add(plain(key).startsWith(stem) ? plain(key) : stem + plain(key));
    }
    return names;
  }

  /** Returns a name without its letter case and all that is no letter or digit. */
  static String plain(String name) {
    return OTHER.matcher(name.toLowerCase(Locale.ROOT)).replaceAll("");
  }

  /** The name as it is, and what of it may be one of what the table has many of. */
  private static Set<String> stems(String table) {
    Set<String> stems = new TreeSet<>(Set.of(table));
    if (table.endsWith("ies")) {
      stems.add(table.substring(0, table.length() - 3) + "y");
    }
    if (table.endsWith("es")) {
      stems.add(table.substring(0, table.length() - 2));
    }
    if (table.endsWith("s")) {
      stems.add(table.substring(0, table.length() - 1));
    }
    stems.remove("");
    return stems;
  }
}
