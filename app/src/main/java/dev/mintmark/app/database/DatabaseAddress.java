package dev.mintmark.app.database;

import dev.mintmark.Quoted;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.postgresql.PGProperty;

/**
 * The address of a PostgreSQL, as JDBC reads it. If it has no password, the driver looks it up in
 * the password file ({@code ~/.pgpass}, or what {@code PGPASSFILE} names).
 *
 * <p>If several hosts are named, connections are made to the one that is the primary, unless the
 * address says otherwise: the driver itself would take any.
 *
 * <p>Messages quote only the names of parameters: any other part of an address may be a password,
 * or half of one that should have been percent-encoded.
 *
 * @param jdbcUrl {@code jdbc:postgresql://host:port/database?...}, without user and password if
 *     they were given separately
 * @param user the role to log in as, if one was given
 * @param password its password, if one was given
 */
public record DatabaseAddress(String jdbcUrl, Optional<String> user, Optional<String> password) {
  private static final String JDBC = "jdbc:postgresql:";

  private static final String ENCODE =
      "a password with one of : / ? # @ in it must be percent-encoded, or given in PGPASSWORD";

  /** One host or several, each with a port or without. */
  private static final Pattern HOSTS =
      Pattern.compile(
          "(?:HOST(?::[0-9]{1,5})?(?:,(?!$)|$))*"
              .replace("HOST", "(?:\\[[0-9a-fA-F:.]+]|[\\w.-]+)"));

  /** A URL of libpq: the scheme with the login, the hosts, and the path with what follows. */
  private static final Pattern LIBPQ =
      Pattern.compile("(?s)(?<login>postgres(?:ql)?://(?:[^/?#]*@)?)(?<hosts>[^/?#@]*)(?<rest>.*)");

  /** Parameters of libpq by the names that the driver has for them. */
  private static final Map<String, String> DRIVER_NAMES =
      Map.of(
          "application_name", "ApplicationName",
          "channel_binding", "channelBinding",
          "connect_timeout", "connectTimeout",
          "gssencmode", "gssEncMode",
          "options", "options",
          "sslcert", "sslcert",
          "sslkey", "sslkey",
          "sslmode", "sslmode",
          "sslrootcert", "sslrootcert",
          "target_session_attrs", "targetServerType");

  /** Variables of libpq that stand for a parameter, with its name in libpq. */
  private static final SortedMap<String, String> VARIABLES =
      new TreeMap<>(
          Map.of(
              "PGAPPNAME", "application_name",
              "PGCHANNELBINDING", "channel_binding",
              "PGCONNECT_TIMEOUT", "connect_timeout",
              "PGGSSENCMODE", "gssencmode",
              "PGOPTIONS", "options",
              "PGSSLCERT", "sslcert",
              "PGSSLKEY", "sslkey",
              "PGSSLMODE", "sslmode",
              "PGSSLROOTCERT", "sslrootcert",
              "PGTARGETSESSIONATTRS", "target_session_attrs"));

  /** The other variables of libpq that are read; the driver itself reads {@code PGPASSFILE}. */
  private static final Set<String> OTHER_VARIABLES =
      Set.of("PGDATABASE", "PGHOST", "PGPASSFILE", "PGPASSWORD", "PGPORT", "PGUSER");

  /** Types of servers by the names of libpq, with the names of the driver. */
  private static final Map<String, String> SERVER_TYPES =
      Map.of(
          "any", "any",
          "primary", "primary",
          "read-write", "primary",
          "standby", "secondary",
          "read-only", "secondary",
          "prefer-standby", "preferSecondary");

  private static final String SERVER_TYPE = "targetServerType";

  /** The hosts of a JDBC URL with more than one. */
  private static final Pattern SEVERAL_HOSTS = Pattern.compile(JDBC + "//([^/?]*,[^/?]*)(.*)");

  /** {@code master} is the driver's older word for it. */
  private static final Pattern PRIMARY =
      Pattern.compile("[?&]" + SERVER_TYPE + "=(?:primary|master)(?:&|$)");

  /**
   * Reads {@code jdbc:postgresql:...}, {@code postgresql://...} or {@code postgres://...}. The
   * latter two may have parameters of libpq and of the driver.
   *
   * @throws IllegalArgumentException if it has another form, or a parameter that the driver does
   *     not support
   */
  public static DatabaseAddress parse(String url) {
    if (url.startsWith(JDBC)) {
      return ofJdbc(url);
    }
    if (url.startsWith("postgresql://") || url.startsWith("postgres://")) {
      return ofLibpq(url);
    }
    throw malformed("expected jdbc:postgresql://HOST/DATABASE or postgresql://HOST/DATABASE");
  }

  /** Reads the variables of libpq, if {@code PGHOST} or {@code PGDATABASE} is set. */
  public static Optional<DatabaseAddress> fromEnvironment(Map<String, String> environment) {
    String hosts = environment.getOrDefault("PGHOST", "");
    String database = environment.getOrDefault("PGDATABASE", "");
    if (hosts.isEmpty() && database.isEmpty()) {
      return Optional.empty();
    }
    if (hosts.startsWith("/")) {
      throw new IllegalArgumentException(
          "PGHOST is " + Quoted.of(hosts) + ": Unix sockets are not supported, give a host name");
    }
    Optional<String> user =
        variable(environment, "PGUSER")
            .or(() -> Optional.ofNullable(System.getProperty("user.name")));
    String jdbcUrl =
        JDBC
            + "//"
            + withPorts(hosts.isEmpty() ? "localhost" : hosts, environment.get("PGPORT"))
            + "/"
            + encode(database.isEmpty() ? user.orElse("") : database)
            + driverParameters(parametersOf(environment));
    return Optional.of(of(jdbcUrl, user, variable(environment, "PGPASSWORD")));
  }

  /** Whether a variable of libpq is read. */
  public static boolean isVariable(String name) {
    return VARIABLES.containsKey(name) || OTHER_VARIABLES.contains(name);
  }

  /**
   * Returns an address whose URL the driver reads, with the server type that several hosts need.
   */
  private static DatabaseAddress of(
      String jdbcUrl, Optional<String> user, Optional<String> password) {
    checkDriverReads(jdbcUrl);
    DatabaseAddress given = new DatabaseAddress(jdbcUrl, user, password);
    return given.hasSeveralHosts() && !given.hasParameter(SERVER_TYPE)
        ? new DatabaseAddress(
            jdbcUrl + (jdbcUrl.contains("?") ? "&" : "?") + SERVER_TYPE + "=primary",
            user,
            password)
        : given;
  }

  /** Returns this with the login of the libpq variables where the URL has none. */
  public DatabaseAddress orLoginOf(Map<String, String> environment) {
    return new DatabaseAddress(
        jdbcUrl,
        user.or(() -> hasParameter("user") ? Optional.empty() : variable(environment, "PGUSER")),
        password.or(
            () ->
                hasParameter("password") ? Optional.empty() : variable(environment, "PGPASSWORD")));
  }

  /** Returns whether the URL has a parameter of the driver. */
  boolean hasParameter(String name) {
    return Pattern.compile("[?&]" + name + "=").matcher(jdbcUrl).find();
  }

  /** Returns whether the URL names more than one host. */
  boolean hasSeveralHosts() {
    return SEVERAL_HOSTS.matcher(jdbcUrl).matches();
  }

  /** Returns an address for each of the hosts. */
  List<DatabaseAddress> hosts() {
    Matcher several = SEVERAL_HOSTS.matcher(jdbcUrl);
    return several.matches()
        ? Arrays.stream(several.group(1).split(","))
            .map(host -> new DatabaseAddress(JDBC + "//" + host + several.group(2), user, password))
            .toList()
        : List.of(this);
  }

  /** Whether connections are to be made to the primary among several hosts. */
  boolean isOfPrimary() {
    return hasSeveralHosts() && PRIMARY.matcher(jdbcUrl).find();
  }

  /** Returns the address for messages: without parameters and without a login. */
  String shown() {
    int query = jdbcUrl.indexOf('?');
    return query < 0 ? jdbcUrl : jdbcUrl.substring(0, query);
  }

  private static DatabaseAddress ofJdbc(String url) {
    int query = url.indexOf('?');
    if (url.substring(0, query < 0 ? url.length() : query).contains("@")) {
      throw malformed("a JDBC URL has no user:password@: append ?user=...&password=...");
    }
    return of(url, Optional.empty(), Optional.empty());
  }

  private static DatabaseAddress ofLibpq(String url) {
    Matcher parts = LIBPQ.matcher(url);
    if (!parts.matches() || !HOSTS.matcher(parts.group("hosts")).matches()) {
      throw notLibpq();
    }
    String hosts = parts.group("hosts");
    URI uri;
    try {
      // A URI has one host, and no IPv6 address beside another one.
      uri = new URI(parts.group("login") + "host" + parts.group("rest"));
    } catch (URISyntaxException e) {
      throw malformed(e.getReason() + "; " + ENCODE);
    }
    String authority = Optional.ofNullable(uri.getRawAuthority()).orElse("");
    String path = Optional.ofNullable(uri.getRawPath()).orElse("");
    String query = Optional.ofNullable(uri.getRawQuery()).orElse("");
    int at = authority.lastIndexOf('@');
    if ((path + query).contains("@") || uri.getRawFragment() != null) {
      throw notLibpq();
    }
    String[] login = at < 0 ? new String[] {""} : authority.substring(0, at).split(":", 2);
    Map<String, String> parameters = parameters(query);
    Optional<String> user =
        removed(parameters, "user").or(() -> Optional.of(login[0]).filter(name -> !name.isEmpty()));
    Optional<String> password =
        removed(parameters, "password")
            .or(() -> login.length > 1 ? Optional.of(login[1]) : Optional.empty());
    String jdbcUrl =
        JDBC
            + "//"
            + (hosts.isEmpty() ? "localhost" : hosts)
            + (path.isEmpty() ? "/" : path)
            + driverParameters(parameters);
    return of(jdbcUrl, user.map(DatabaseAddress::decode), password.map(DatabaseAddress::decode));
  }

  private static Optional<String> removed(Map<String, String> parameters, String name) {
    Optional<String> value =
        parameters.entrySet().stream()
            .filter(parameter -> parameter.getKey().equalsIgnoreCase(name))
            .map(Map.Entry::getValue)
            .reduce((first, last) -> last);
    parameters.keySet().removeIf(name::equalsIgnoreCase);
    return value;
  }

  /** Returns the parameters by name as typed; the values are still percent-encoded. */
  private static Map<String, String> parameters(String query) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String parameter : query.isEmpty() ? new String[0] : query.split("&")) {
      String[] parts = parameter.split("=", 2);
      if (parts.length < 2) {
        throw malformed("a parameter has no value");
      }
      parameters.put(decode(parts[0]), parts[1]);
    }
    return parameters;
  }

  /** Returns the parameters that the variables of libpq stand for, percent-encoded. */
  private static Map<String, String> parametersOf(Map<String, String> environment) {
    Map<String, String> parameters = new LinkedHashMap<>();
    VARIABLES.forEach(
        (name, parameter) ->
            variable(environment, name)
                .ifPresent(value -> parameters.put(parameter, encode(value))));
    return parameters;
  }

  private static String driverParameters(Map<String, String> parameters) {
    return parameters.entrySet().stream()
        .map(parameter -> driverName(parameter.getKey()) + "=" + driverValue(parameter))
        .collect(Collectors.joining("&", parameters.isEmpty() ? "" : "?", ""));
  }

  private static String driverName(String name) {
    return Optional.ofNullable(DRIVER_NAMES.get(name.toLowerCase(Locale.ROOT)))
        .or(
            () ->
                Arrays.stream(PGProperty.values())
                    .map(PGProperty::getName)
                    .filter(name::equalsIgnoreCase)
                    .findFirst())
        .orElseThrow(() -> malformed("the parameter " + Quoted.of(name) + " is not supported"));
  }

  private static String driverValue(Map.Entry<String, String> parameter) {
    return parameter.getKey().equalsIgnoreCase("target_session_attrs")
        ? SERVER_TYPES.getOrDefault(parameter.getValue(), parameter.getValue())
        : parameter.getValue();
  }

  /** Adds the ports as libpq does: one for all hosts, or one for each. */
  private static String withPorts(String hosts, @Nullable String ports) {
    String[] names = hosts.split(",", -1);
    String[] numbers =
        ports == null || ports.isEmpty() ? new String[] {"5432"} : ports.split(",", -1);
    if (numbers.length != 1 && numbers.length != names.length) {
      throw new IllegalArgumentException(
          "PGPORT has %s ports: expected 1, or one for each of the %s hosts in PGHOST"
              .formatted(numbers.length, names.length));
    }
    List<String> addresses = new ArrayList<>();
    for (int i = 0; i < names.length; i++) {
      boolean bareIpv6 = names[i].contains(":") && !names[i].startsWith("[");
      addresses.add(
          (bareIpv6 ? "[" + names[i] + "]" : names[i])
              + ":"
              + numbers[numbers.length == 1 ? 0 : i].strip());
    }
    return String.join(",", addresses);
  }

  private static void checkDriverReads(String jdbcUrl) {
    try {
      DriverManager.getDriver(jdbcUrl);
    } catch (SQLException e) {
      throw malformed("the JDBC driver rejects it: a port may not be a number");
    }
  }

  private static Optional<String> variable(Map<String, String> environment, String name) {
    return Optional.ofNullable(environment.get(name)).filter(value -> !value.isEmpty());
  }

  private static IllegalArgumentException notLibpq() {
    return malformed("expected postgresql://USER:PASSWORD@HOST:PORT/DATABASE; " + ENCODE);
  }

  private static IllegalArgumentException malformed(String why) {
    return new IllegalArgumentException("malformed database URL: " + why);
  }

  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Omits the password. */
  @Override
  public String toString() {
    return shown();
  }
}
