package dev.mintmark.catalog;

import dev.mintmark.PoolSpec;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/** Reads the names of the databases of a catalog. How to reach them does not stand there. */
final class DatabaseReader {
  /** Keys of a database. There are none. */
  static final List<String> KEYS = List.of();

  /** Keys that would say how to reach a database, in lower case without hyphens and underscores. */
  private static final Set<String> CONNECTION_KEYS =
      Set.of(
          "url",
          "jdbcurl",
          "databaseurl",
          "uri",
          "dsn",
          "host",
          "port",
          "user",
          "username",
          "password",
          "secret");

  private DatabaseReader() {}

  static String read(YamlMapping.Named named) {
    YamlValue value = named.value();
    String name =
        value
            .location()
            .modelled(
                () -> {
                  PoolSpec.checkDatabase(named.name());
                  return named.name();
                });
    if (value.isScalar()) {
      throw value.wrong(remedy(name));
    }
    YamlMapping keys = value.mapping();
    keys.names().stream()
        .filter(DatabaseReader::isOfConnection)
        .findFirst()
        .ifPresent(
            key -> {
              throw keys.required(key).wrong(remedy(name));
            });
    var unused = keys.allowing(KEYS);
    return name;
  }

  private static boolean isOfConnection(String key) {
    return CONNECTION_KEYS.contains(key.toLowerCase(Locale.ROOT).replace("-", "").replace("_", ""));
  }

  /** What was written is not repeated: it may be a password. */
  private static String remedy(String database) {
    return "URLs and passwords do not stand in the catalog: set the environment variable %s to the URL of the database"
        .formatted("MINTMARK_DB_" + database.toUpperCase(Locale.ROOT).replace('-', '_'));
  }
}
