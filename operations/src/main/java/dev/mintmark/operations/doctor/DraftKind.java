package dev.mintmark.operations.doctor;

import dev.mintmark.Kind;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.function.Function;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The kind of a column of identifiers, derived from its type, its default and some values.
 *
 * @param narrow whether it is an integer of fewer than 8 bytes
 * @param prefix of the kind typeid alone
 * @param caseSensitive of the kind text alone
 * @param doubt what a person should check; may be empty
 */
record DraftKind(
    Kind kind,
    Kind.Storage storage,
    boolean narrow,
    Optional<String> prefix,
    boolean caseSensitive,
    Optional<String> doubt) {
  /**
   * By what a kind is recognised: one row for each kind of 128 bits that a server can make.
   *
   * @param maker functions that make it
   * @param version of its UUIDs; 0 if they can be of any
   */
  private record Sign(Kind kind, Pattern maker, int version) {}

  private static final List<Sign> SIGNS =
      List.of(
          new Sign(Kind.ULID, Pattern.compile("(?i)ulid[a-z_]*\"?\\("), 0),
          new Sign(Kind.UUIDV7, Pattern.compile("(?i)\\b\\w*uuid[a-z_]*7\"?\\("), 7),
          new Sign(Kind.UUIDV4, Pattern.compile("(?i)\\b(gen_random_uuid|uuid[a-z_]*4)\"?\\("), 4));

  /** No ULID is older: the specification is of 2016. */
  private static final Instant FIRST_ULIDS = Instant.parse("2016-01-01T00:00:00Z");

  /** What a clock may be ahead. */
  private static final Duration AHEAD_MAX = Duration.ofDays(1);

  /**
   * Returns the kind of a column, or empty where no kind is kept in such a type.
   *
   * @param type the name of its type, or of the one that its domain is over
   * @param minted whether the database makes its values: an identity or a default
   * @param defaultExpression as PostgreSQL writes it; may be empty
   * @param values some of its values as text; none where there are none or they cannot be read
   * @param now the time that no identifier is from after
   */
  static Optional<DraftKind> of(
      String type, boolean minted, String defaultExpression, List<String> values, Instant now) {
    return switch (type) {
      case "uuid" -> Optional.of(ofUuids(defaultExpression, values, Kind.Storage.UUID, now));
      case "int8" ->
          Optional.of(
              of(
                  Kind.SEQUENCE,
                  Kind.Storage.BIGINT,
                  minted
                      ? ""
                      : "no sequence makes it: if the application makes Snowflakes, say kind: snowflake"));
      case "int2", "int4" ->
          Optional.of(
              new DraftKind(
                  Kind.SEQUENCE,
                  Kind.Storage.BIGINT,
                  true,
                  Optional.empty(),
                  false,
                  Optional.empty()));
      case "text", "varchar", "bpchar", "citext" ->
          Optional.of(ofTexts(type, defaultExpression, values, now));
      default -> Optional.empty();
    };
  }

  private static DraftKind ofUuids(
      String defaultExpression, List<String> values, Kind.Storage storage, Instant now) {
    List<UUID> uuids = values.stream().map(Uuids::parse).toList();
    Set<Integer> versions = uuids.stream().map(Uuids::version).collect(Collectors.toSet());
    Optional<Sign> made = madeBy(defaultExpression);
    if (made.isPresent()) {
      int version = made.get().version();
      boolean other = version != 0 && !Set.of(version).containsAll(versions);
      return of(
          made.get().kind(),
          storage,
          other ? "its default makes them, but there are UUIDs of other versions too" : "");
    }
    if (versions.isEmpty()) {
      return of(
          Kind.UUIDV4,
          storage,
          "no rows and no default to derive the kind from: say what makes them");
    }
    Optional<Sign> ofVersion =
        SIGNS.stream()
            .filter(sign -> sign.version() != 0 && versions.equals(Set.of(sign.version())))
            .findFirst();
    if (ofVersion.isPresent()) {
      return of(ofVersion.get().kind(), storage, "");
    }
    if (uuids.stream().allMatch(uuid -> isOfATime(uuid, now))) {
      return of(Kind.ULID, storage, "");
    }
    return of(
        Kind.UUIDV4,
        storage,
        "there are UUIDs of version "
            + versions.stream().sorted().map(String::valueOf).collect(Collectors.joining(", ")));
  }

  private static DraftKind ofTexts(
      String type, String defaultExpression, List<String> values, Instant now) {
    Kind.Storage text = Kind.Storage.TEXT;
    boolean sensitive = !type.equals("citext");
    if (values.isEmpty()) {
      Optional<Sign> made = madeBy(defaultExpression);
      return made.isPresent()
          ? of(made.get().kind(), text, "no rows: the kind is what its default looks like")
          : ofOpaque(
              sensitive, "no rows and no default to derive the kind from: say what makes them");
    }
    if (all(values, value -> Ulid.tryParse(value).isPresent())) {
      return of(Kind.ULID, text, "");
    }
    if (all(values, value -> Uuids.tryParse(value).isPresent())) {
      return ofUuids(defaultExpression, values, text, now);
    }
    Set<String> prefixes =
        values.stream()
            .map(value -> TypeId.tryParse(value).map(TypeId::prefix).orElse(""))
            .collect(Collectors.toSet());
    if (prefixes.size() == 1 && !prefixes.contains("")) {
      return new DraftKind(
          Kind.TYPEID, text, false, prefixes.stream().findFirst(), false, Optional.empty());
    }
    return ofOpaque(sensitive, "");
  }

  private static boolean all(List<String> values, Function<String, Boolean> test) {
    return values.stream().allMatch(test::apply);
  }

  private static Optional<Sign> madeBy(String defaultExpression) {
    return SIGNS.stream()
        .filter(sign -> sign.maker().matcher(defaultExpression).find())
        .findFirst();
  }

  private static boolean isOfATime(UUID uuid, Instant now) {
    Instant time = Ulid.of(uuid).time();
    return !time.isBefore(FIRST_ULIDS) && time.isBefore(now.plus(AHEAD_MAX));
  }

  private static DraftKind of(Kind kind, Kind.Storage storage, String doubt) {
    return new DraftKind(kind, storage, false, Optional.empty(), false, doubt(doubt));
  }

  private static DraftKind ofOpaque(boolean caseSensitive, String doubt) {
    return new DraftKind(
        Kind.TEXT, Kind.Storage.TEXT, false, Optional.empty(), caseSensitive, doubt(doubt));
  }

  private static Optional<String> doubt(String text) {
    return Optional.of(text).filter(doubt -> !doubt.isEmpty());
  }
}
