package dev.mintmark.operations.doctor;

import dev.mintmark.postgres.internal.SqlFile;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.regex.Pattern;

/** The functions of users that mint ULIDs in defaults, and that the pack can replace in place. */
final class OwnMints {
  private static final SqlFile FUNCTIONS = SqlFile.load(OwnMints.class, "default_functions");

  /** A name with its schema that needs no quotes, on the command line either. */
  private static final Pattern PLAIN =
      Pattern.compile("[a-z_][a-z0-9_]*\\.[a-z0-9_]*ulid[a-z0-9_]*");

  private OwnMints() {}

  /** Returns the function for each column by its place: {@code public.generate_ulid}. */
  static Map<String, String> read(SchemaSnapshot snapshot, GuardedReader reader)
      throws SQLException {
    Map<String, String> functions = new HashMap<>();
    reader.query(
        FUNCTIONS,
        "functions of defaults",
        snapshot.relations(),
        row -> {
          String function = row.getString("shown");
          if (isReplaceable(function, row.getString("signature"), row.getString("body"))) {
            for (String place : (String[]) row.getArray("columns").getArray()) {
              functions.put(place, function);
            }
          }
          return function;
        });
    return functions;
  }

  /** Whether it has no parameters and does not call the pack yet. */
  static boolean isReplaceable(String shown, String signature, String body) {
    return PLAIN.matcher(shown).matches()
        && signature.endsWith("()")
        && !body.contains("ulid_monotonic()");
  }

  /** The command that replaces it. */
  static String command(String function) {
    return "mintmark pack install --compat " + function;
  }
}
