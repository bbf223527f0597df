package dev.mintmark.app;

import dev.mintmark.Quoted;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLDecoder;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Where a PostgreSQL is, as JDBC takes it. A password that is not part of it is looked up by the
 * driver in the password file ({@code ~/.pgpass}, or what {@code PGPASSFILE} names).
 *
 * @param jdbcUrl {@code jdbc:postgresql://host:port/database?...}, without user and password where
 *     they were given apart
 * @param user the role to log in as, if one was named
 * @param password its password, if one was given
 */
record DatabaseAddress(String jdbcUrl, Optional<String> user, Optional<String> password) {
  private static final String JDBC = "jdbc:postgresql:";

  /** Parameters that libpq and the JDBC driver call by different names. */
  private static final Map<String, String> DRIVER_NAMES =
      Map.of(
          "application_name", "ApplicationName",
          "connect_timeout", "connectTimeout",
          "options", "options",
          "sslmode", "sslmode",
          "sslrootcert", "sslrootcert",
          "sslcert", "sslcert",
          "sslkey", "sslkey",
          "target_session_attrs", "targetServerType");

  /**
   * Reads {@code jdbc:postgresql:...}, {@code postgresql://...} or {@code postgres://...}.
   *
   * @throws IllegalArgumentException if it is none of these, or names a parameter that the driver
   *     does not know
   */
  static DatabaseAddress parse(String url) {
    if (url.startsWith(JDBC)) {
      return new DatabaseAddress(url, Optional.empty(), Optional.empty());
    }
    if (!url.startsWith("postgresql://") && !url.startsWith("postgres://")) {
      throw malformed(url, "expected jdbc:postgresql:... or postgresql://...");
    }
    URI uri;
    try {
      uri = new URI(url);
    } catch (URISyntaxException e) {
      throw malformed(url, e.getReason());
    }
    String authority = Optional.ofNullable(uri.getRawAuthority()).orElse("");
    int at = authority.lastIndexOf('@');
    String hosts = authority.substring(at + 1);
    String[] login = at < 0 ? new String[0] : authority.substring(0, at).split(":", 2);
    String path = Optional.ofNullable(uri.getRawPath()).orElse("");
    String jdbcUrl =
        JDBC
            + "//"
            + (hosts.isEmpty() ? "localhost" : hosts)
            + (path.isEmpty() ? "/" : path)
            + driverParameters(url, uri.getRawQuery() == null ? "" : uri.getRawQuery());
    return new DatabaseAddress(
        jdbcUrl,
        login.length > 0 && !login[0].isEmpty() ? Optional.of(decode(login[0])) : Optional.empty(),
        login.length > 1 ? Optional.of(decode(login[1])) : Optional.empty());
  }

  /** Reads the variables of libpq: only where {@code PGHOST} or {@code PGDATABASE} is set. */
  static Optional<DatabaseAddress> fromEnvironment(Map<String, String> environment) {
    String host = environment.getOrDefault("PGHOST", "");
    String database = environment.getOrDefault("PGDATABASE", "");
    if (host.isEmpty() && database.isEmpty()) {
      return Optional.empty();
    }
    if (host.startsWith("/")) {
      throw new IllegalArgumentException(
          "PGHOST is " + Quoted.of(host) + ": a Unix socket cannot be used, name a host");
    }
    Optional<String> user =
        Optional.ofNullable(environment.get("PGUSER"))
            .or(() -> Optional.ofNullable(System.getProperty("user.name")));
    String sslMode = environment.getOrDefault("PGSSLMODE", "");
    String jdbcUrl =
        JDBC
            + "//"
            + (host.isEmpty() ? "localhost" : host)
            + ":"
            + environment.getOrDefault("PGPORT", "5432")
            + "/"
            + encode(database.isEmpty() ? user.orElse("") : database)
            + (sslMode.isEmpty() ? "" : "?sslmode=" + encode(sslMode));
    return Optional.of(
        new DatabaseAddress(jdbcUrl, user, Optional.ofNullable(environment.get("PGPASSWORD"))));
  }

  /**
   * The address as it may be shown: without what follows a question mark, and without a password.
   */
  String shown() {
    int query = jdbcUrl.indexOf('?');
    return query < 0 ? jdbcUrl : jdbcUrl.substring(0, query);
  }

  private static String driverParameters(String url, String query) {
    Map<String, String> parameters = new LinkedHashMap<>();
    for (String parameter : query.isEmpty() ? new String[0] : query.split("&")) {
      String[] parts = parameter.split("=", 2);
      String name = decode(parts[0]);
      String driverName = DRIVER_NAMES.get(name.toLowerCase(Locale.ROOT));
      if (driverName == null || parts.length < 2) {
        throw malformed(url, "the parameter " + Quoted.of(parameter) + " is not known");
      }
      parameters.put(driverName, parts[1]);
    }
    return parameters.entrySet().stream()
        .map(parameter -> parameter.getKey() + "=" + parameter.getValue())
        .collect(Collectors.joining("&", parameters.isEmpty() ? "" : "?", ""));
  }

  /** Never quotes the address itself: it may hold a password. */
  private static IllegalArgumentException malformed(String url, String why) {
    String scheme = url.substring(0, Math.max(url.indexOf(':'), 0));
    return new IllegalArgumentException(
        "malformed database URL (it starts " + Quoted.of(scheme) + "): " + why);
  }

  private static String decode(String text) {
    return URLDecoder.decode(text.replace("+", "%2B"), StandardCharsets.UTF_8);
  }

  private static String encode(String text) {
    return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
  }

  /** Leaves the password out. */
  @Override
  public String toString() {
    return shown();
  }
}
