package dev.mintmark.postgres.pack;

import dev.mintmark.Quoted;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What the script recorded in the comment on {@code pack_version()}: the version of the pack, the
 * major version of the server, and the MD5 of each function's definition as that server writes it.
 *
 * @param version the version of the pack; 0 if there is no record for this server
 * @param digests the MD5 by identity, for example of {@code ulid_text(uuid)}
 */
record InstallationRecord(String schema, int version, Map<String, String> digests) {
  private static final Pattern HEADER =
      Pattern.compile("Mintmark pack ([0-9]{1,9}) on PostgreSQL ([0-9]{1,9}):");

  private static final Pattern ENTRY = Pattern.compile("([0-9a-f]{32}) (.*)");

  /** The definitions that every server writes alike. */
  private static final String CLOCK = "bigint 0 1 0 9223372036854775807 1 f";

  private static final String MIN = "uuid_lesser uuid_lesser uuid < s";
  private static final String MAX = "uuid_greater uuid_greater uuid > s";

  private static final String DOMAIN =
      "text C f CHECK ((VALUE ~ '^[0-7][0-9A-HJKMNP-TV-Z]{25}$'::text))";

  static InstallationRecord parse(String schema, String record, int majorVersion) {
    List<String> lines = record.lines().toList();
    Matcher header = HEADER.matcher(lines.isEmpty() ? "" : lines.get(0));
    if (!header.matches() || Integer.parseInt(header.group(2)) != majorVersion) {
      return new InstallationRecord(schema, 0, Map.of());
    }
    Map<String, String> digests = new TreeMap<>();
    for (String line : lines) {
      Matcher entry = ENTRY.matcher(line);
      if (entry.matches()) {
        digests.put(entry.group(2), entry.group(1));
      }
    }
    return new InstallationRecord(schema, Integer.parseInt(header.group(1)), digests);
  }

  boolean isOf(int expected) {
    return version == expected;
  }

  /**
   * Returns the difference of a record of another version.
   *
   * @throws PackException if there is no record for this server
   */
  Difference differenceFrom(int expected) {
    if (version == 0) {
      throw new PackException(
          "schema %s: no temporary objects can be created here, and no pack was installed on this version of PostgreSQL: verify on the primary with a role that has TEMP"
              .formatted(Quoted.of(schema)));
    }
    return new Difference.Changed(
        "function pack_version()", "version " + expected, "version " + version);
  }

  /**
   * Returns the recorded objects. Functions with the recorded MD5 have the definition of the
   * installed ones.
   */
  List<PackObject> expected(List<PackObject> installed) {
    List<PackObject> expected = new ArrayList<>();
    digests.forEach(
        (identity, digest) ->
            expected.add(
                installed.stream()
                    .filter(
                        object ->
                            object.isRecorded()
                                && object.identity().equals(identity)
                                && object.digest().equals(digest))
                    .findFirst()
                    .orElseGet(
                        () -> object(kind(installed, identity), identity, "MD5 " + digest))));
    expected.add(object(PackObject.Kind.AGGREGATE, "min(uuid)", MIN));
    expected.add(object(PackObject.Kind.AGGREGATE, "max(uuid)", MAX));
    expected.add(object(PackObject.Kind.SEQUENCE, "ulid_clock", CLOCK));
    expected.add(object(PackObject.Kind.DOMAIN, "ulid_as_text", DOMAIN));
    return expected;
  }

  private static PackObject.Kind kind(List<PackObject> installed, String identity) {
    return installed.stream()
        .filter(object -> object.isRecorded() && object.identity().equals(identity))
        .findFirst()
        .map(PackObject::kind)
        .orElse(PackObject.Kind.FUNCTION);
  }

  private static PackObject object(PackObject.Kind kind, String identity, String definition) {
    return new PackObject(kind, identity, definition, "", true, "", true);
  }
}
