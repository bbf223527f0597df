package dev.mintmark.app.cli.common;

import dev.mintmark.PoolSpec;
import dev.mintmark.Spelling;
import dev.mintmark.app.database.DatabaseAddress;
import dev.mintmark.app.database.PoolAddresses;
import dev.mintmark.postgres.pool.Pools;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The databases of pools beside that of {@link DatabaseOptions}. */
public final class PoolDatabaseOptions {
  public static final String OPTION = "--pool-database";

  /** What the names of variables begin with. */
  public static final String PREFIX = "MINTMARK_DB_";

  /** The name of the first database, if the catalog has none for it. */
  private static final String HOME = "home";

  /** What may be quoted: anything else may be a part of an address, with a password. */
  private static final Pattern WORD = Pattern.compile("[\\w-]{0,63}");

  @Option(
      names = OPTION,
      paramLabel = "NAME=URL",
      description = {
        "Another database of pools, and its name, such as eu=postgresql://eu.internal/app. Repeatable."
            + " Default: the variables "
            + PREFIX
            + "NAME, such as "
            + PREFIX
            + "EU"
      })
  List<String> given = new ArrayList<>();

  /** A database, and the option or variable that names it. */
  private record Named(String place, DatabaseAddress address) {}

  /**
   * Returns the databases of pools.
   *
   * @param declared the names that the catalog declares, the first database first; empty if it
   *     declares none
   * @throws IllegalArgumentException if one is malformed, one that is declared has no address, or
   *     one has an address and is not declared; the message has no address
   */
  public PoolAddresses addresses(List<String> declared, Map<String, String> environment) {
    SortedMap<String, Named> named = named(environment);
    if (declared.isEmpty() && named.isEmpty()) {
      return new PoolAddresses(Optional.empty(), Map.of());
    }
    String first = declared.isEmpty() ? HOME : declared.get(0);
    Named again = named.get(first);
    if (again != null) {
      throw new IllegalArgumentException(
          "%s: %s is the first database, which --database-url names".formatted(again.place, first));
    }
    List<String> others = new ArrayList<>(named.keySet());
    if (!declared.isEmpty()) {
      checkDeclared(named, declared);
      others.retainAll(declared);
      others.sort((one, other) -> declared.indexOf(one) - declared.indexOf(other));
    }
    if (others.size() >= Pools.DATABASES_MAX) {
      throw new IllegalArgumentException(
          "%s databases of pools: expected at most %s"
              .formatted(others.size() + 1, Pools.DATABASES_MAX));
    }
    Map<String, DatabaseAddress> addresses = new LinkedHashMap<>();
    others.forEach(name -> addresses.put(name, Objects.requireNonNull(named.get(name)).address));
    return new PoolAddresses(Optional.of(first), addresses);
  }

  private static void checkDeclared(SortedMap<String, Named> named, List<String> declared) {
    named.forEach(
        (name, one) -> {
          if (!declared.contains(name)) {
            throw new IllegalArgumentException(
                "%s: not in the catalog: %s"
                    .formatted(one.place, Spelling.unknown("database", name, declared)));
          }
        });
    for (String name : declared.subList(1, declared.size())) {
      if (!named.containsKey(name)) {
        throw new IllegalArgumentException(
            "the catalog declares the database %s, which has no address: expected %s %s=URL, or the variable %s"
                .formatted(name, OPTION, name, variable(name)));
      }
    }
  }

  /** Checks the options and variables, without the catalog. */
  public void check(Map<String, String> environment) {
    var unused = named(environment);
  }

  /** The option is stronger than the variable. */
  private SortedMap<String, Named> named(Map<String, String> environment) {
    SortedMap<String, Named> named = new TreeMap<>();
    environment.forEach(
        (variable, url) -> {
          if (isVariable(variable) && !url.isEmpty()) {
            String name =
                variable.substring(PREFIX.length()).toLowerCase(Locale.ROOT).replace('_', '-');
            named.put(name, named(variable, name, url, environment));
          }
        });
    Map<String, Named> ofOptions = new LinkedHashMap<>();
    for (String pair : pairs(given)) {
      int end = Math.max(0, pair.indexOf('='));
      String name = pair.substring(0, end);
      if (name.isEmpty() || !WORD.matcher(name).matches()) {
        throw new IllegalArgumentException(
            OPTION + ": expected NAME=URL, such as eu=postgresql://eu.internal/app");
      }
      Named one = named(OPTION + " " + name, name, pair.substring(end + 1), environment);
      if (ofOptions.put(name, one) != null) {
        throw new IllegalArgumentException(one.place + " is given twice");
      }
    }
    named.putAll(ofOptions);
    return named;
  }

  /** A file of settings has one value for each name: several are divided by spaces there. */
  private static List<String> pairs(List<String> values) {
    return values.stream().flatMap(value -> Pattern.compile("\\s+").splitAsStream(value)).toList();
  }

  private static Named named(
      String place, String name, String url, Map<String, String> environment) {
    try {
      PoolSpec.checkDatabase(name);
      return new Named(place, DatabaseAddress.parse(url).orLoginOf(environment));
    } catch (IllegalArgumentException e) {
      throw new IllegalArgumentException(place + ": " + e.getMessage(), e);
    }
  }

  /** Whether a variable is the address of a database of pools. */
  public static boolean isVariable(String variable) {
    return variable.startsWith(PREFIX);
  }

  /** The variable with the address of a database. */
  private static String variable(String name) {
    return PREFIX + name.toUpperCase(Locale.ROOT).replace('-', '_');
  }

  /** Returns values of the option for people: without a login. */
  public static String shown(String values) {
    PoolDatabaseOptions options = new PoolDatabaseOptions();
    options.given.add(values);
    StringBuilder text = new StringBuilder();
    options
        .named(Map.of())
        .forEach(
            (name, one) ->
                text.append(text.isEmpty() ? "" : " ")
                    .append(name)
                    .append('=')
                    .append(one.address));
    return text.toString();
  }
}
