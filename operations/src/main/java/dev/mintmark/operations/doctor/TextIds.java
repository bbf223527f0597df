package dev.mintmark.operations.doctor;

import dev.mintmark.Quoted;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import dev.mintmark.operations.doctor.Column.IndexOf;
import dev.mintmark.operations.doctor.Reference.Pair;
import dev.mintmark.operations.internal.schema.Names;
import java.sql.SQLException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;

/**
 * ULIDs and UUIDs that are kept as text. A column and those that refer to it are one finding: they
 * change together.
 */
final class TextIds {
  private static final long ROWS_WARNING = 10_000;

  /** The share of a sample that has to be identifiers. */
  private static final double SHARE_MIN = 0.95;

  /** Average bytes of columns that can be it: 26, 32 or 36 characters, with some others between. */
  private static final int WIDTH_MIN = 25;

  private static final int WIDTH_MAX = 38;

  private static final int UUID_BYTES = 16;

  private static final int PAGE_BYTES = 8192;

  /** What an index keeps before the values of an entry. */
  private static final int INDEX_ENTRY_BYTES = 8;

  /** ULIDs with another time than from here to tomorrow are just 26 characters. */
  private static final Instant EARLIEST = Instant.parse("2000-01-01T00:00:00Z");

  private static final Duration AHEAD_MAX = Duration.ofDays(1);

  private enum Kind {
    ULID("ULIDs of 26 characters", 27),
    UUID("UUIDs of 36 characters", 37),
    BARE_UUID("UUIDs of 32 characters", 33);

    private final String shown;
    private final int bytes;

    Kind(String shown, int bytes) {
      this.shown = shown;
      this.bytes = bytes;
    }

    /** Returns the uuid of an expression of SQL that is one of these texts. */
    private String uuid(String text) {
      return this == ULID ? "mintmark.ulid_uuid((" + text + ")::text)" : "(" + text + ")::uuid";
    }
  }

  /**
   * What the sampled values of a column are.
   *
   * @param share the share of them that are of the kind
   * @param other one that is not; empty if all are
   */
  private record Sampled(Kind kind, double share, Optional<String> other) {}

  private final SchemaSnapshot snapshot;
  private final Map<String, Sampled> sampled = new HashMap<>();
  private Map<String, String> ownMints = Map.of();

  private TextIds(SchemaSnapshot snapshot) {
    this.snapshot = snapshot;
  }

  static List<Finding> findings(SchemaSnapshot snapshot, GuardedReader reader) throws SQLException {
    TextIds ids = new TextIds(snapshot);
    List<Column> candidates = snapshot.columns().stream().filter(TextIds::isCandidate).toList();
    Samples samples = Samples.read(candidates, reader);
    for (Column column : candidates) {
      ids.judge(samples.of(column)).ifPresent(one -> ids.sampled.put(column.place(), one));
    }
    if (ids.sampled.values().stream().anyMatch(one -> one.kind() == Kind.ULID)) {
      ids.ownMints = OwnMints.read(snapshot, reader);
    }
    return ids.findings();
  }

  private static boolean isCandidate(Column column) {
    return column.isText()
        && column
            .statistics()
            .map(known -> known.width() >= WIDTH_MIN && known.width() <= WIDTH_MAX)
            .orElseGet(column::isIdentifier);
  }

  private Optional<Sampled> judge(List<String> sample) {
    Map<Kind, Integer> counts = new EnumMap<>(Kind.class);
    sample.forEach(value -> kindOf(value).ifPresent(kind -> counts.merge(kind, 1, Integer::sum)));
    return counts.entrySet().stream()
        .filter(count -> count.getValue() >= sample.size() * SHARE_MIN)
        .findFirst()
        .map(
            count ->
                new Sampled(
                    count.getKey(),
                    (double) count.getValue() / sample.size(),
                    sample.stream()
                        .filter(value -> kindOf(value).filter(count.getKey()::equals).isEmpty())
                        .findFirst()));
  }

  private Optional<Kind> kindOf(String value) {
    return switch (value.length()) {
      case 26 ->
          Ulid.tryParse(value.toUpperCase(Locale.ROOT)).filter(this::isTimely).map(id -> Kind.ULID);
      case 36 -> Uuids.tryParse(value.toLowerCase(Locale.ROOT)).map(id -> Kind.UUID);
      case 32 -> bareUuid(value).map(id -> Kind.BARE_UUID);
      default -> Optional.empty();
    };
  }

  private boolean isTimely(Ulid id) {
    return !id.time().isBefore(EARLIEST) && id.time().isBefore(snapshot.now().plus(AHEAD_MAX));
  }

  /** 32 hexadecimal digits are as often a hash, which has no version and variant. */
  private static Optional<UUID> bareUuid(String value) {
    String hyphenated =
        String.join(
            "-",
            value.substring(0, 8),
            value.substring(8, 12),
            value.substring(12, 16),
            value.substring(16, 20),
            value.substring(20));
    return Uuids.tryParse(hyphenated.toLowerCase(Locale.ROOT))
        .filter(id -> id.variant() == 2 && id.version() >= 1 && id.version() <= 8);
  }

  private List<Finding> findings() {
    Map<String, String> targets = new HashMap<>();
    for (Reference reference : snapshot.references()) {
      reference
          .target()
          .ifPresent(
              target -> {
                for (Pair pair : reference.columns()) {
                  targets.putIfAbsent(
                      Column.place(reference.table(), pair.own().name()),
                      Column.place(target, pair.target().name()));
                }
              });
    }
    Map<String, List<Column>> families = new TreeMap<>();
    for (Column column : snapshot.columns()) {
      if (column.isText()) {
        families
            .computeIfAbsent(head(column.place(), targets), head -> new ArrayList<>())
            .add(column);
      }
    }
    List<Finding> findings = new ArrayList<>();
    families.forEach(
        (head, family) ->
            family.stream()
                .map(column -> Optional.ofNullable(sampled.get(column.place())))
                .flatMap(Optional::stream)
                .min(Comparator.comparingDouble(Sampled::share))
                .ifPresent(least -> findings.add(finding(head, family, least))));
    return findings;
  }

  /** Where the references lead to; of a circle the one with the least place. */
  private static String head(String place, Map<String, String> targets) {
    Set<String> seen = new HashSet<>();
    String at = place;
    while (seen.add(at)) {
      String target = targets.get(at);
      if (target == null || target.equals(at)) {
        return at;
      }
      at = target;
    }
    String least = at;
    for (String next = nextOf(at, targets); !next.equals(at); next = nextOf(next, targets)) {
      least = next.compareTo(least) < 0 ? next : least;
    }
    return least;
  }

  private static String nextOf(String place, Map<String, String> targets) {
    return targets.getOrDefault(place, place);
  }

  /**
   * @param sampled of the column of the family with the most other values
   */
  private Finding finding(String headPlace, List<Column> family, Sampled sampled) {
    Kind kind = sampled.kind();
    Column head =
        family.stream()
            .filter(column -> column.place().equals(headPlace))
            .findFirst()
            .orElse(family.get(0));
    List<String> others =
        family.stream()
            .filter(column -> !column.equals(head))
            .map(Column::object)
            .sorted()
            .toList();
    long rows = family.stream().mapToLong(column -> column.table().rows()).max().orElse(0);
    long ofTables = 0;
    long ofIndexes = 0;
    for (Column column : family) {
      int width = column.width().orElse(kind.bytes);
      ofTables += column.values() * Math.max(0, width - UUID_BYTES);
      for (IndexOf index : column.indexes().stream().filter(IndexOf::whole).toList()) {
        long entries = index.unique() ? column.values() : column.distinctValues();
        ofIndexes += entries * saved(index, width);
      }
    }
    return new Finding(
        Check.TEXT_IDS,
        rows < ROWS_WARNING ? Severity.NOTICE : Severity.WARNING,
        head.object(),
        "%s in %s%s%s%s%s"
            .formatted(
                kind.shown,
                sampled
                    .other()
                    .map(other -> "about " + Words.share(sampled.share()) + " of ")
                    .orElse(""),
                Words.rows(head.values()),
                sampled
                    .other()
                    .map(other -> ", by a sample; others are such as " + Quoted.of(other))
                    .orElse(""),
                others.isEmpty()
                    ? ""
                    : ", and in what refers to it (%s)".formatted(Names.shortened(others)),
                smaller(ofTables, ofIndexes)),
        sampled.other().map(other -> "correct the other values first; then ").orElse("")
            + remedy(head, others, kind),
        OptionalLong.of(ofTables + ofIndexes),
        Optional.empty());
  }

  /** What is less than a page makes nothing smaller. */
  private static String smaller(long ofTables, long ofIndexes) {
    boolean areIndexes = ofIndexes >= PAGE_BYTES;
    if (ofTables < PAGE_BYTES) {
      return areIndexes
          ? "; as uuid the indexes would be about %s smaller".formatted(Words.bytes(ofIndexes))
          : "";
    }
    return "; as uuid the tables would be about %s smaller".formatted(Words.bytes(ofTables))
        + (areIndexes ? ", the indexes " + Words.bytes(ofIndexes) : "");
  }

  /** A catalog declares keys, and what refers to them. */
  private String remedy(Column head, List<String> others, Kind kind) {
    if (head.uniqueAlone() || !others.isEmpty()) {
      String mint = kind == Kind.ULID ? ownMints.getOrDefault(head.place(), "") : "";
      return "make it uuid, with what refers to it: declare it in mintmark.yaml and see mintmark"
          + " migrate plan"
          + (mint.isEmpty()
              ? ""
              : "; without a migration, the owner of %s can have it mint in order: %s"
                  .formatted(mint, OwnMints.command(mint)));
    }
    String column = "alter column " + head.shown();
    String text = head.defaultExpression();
    return "if it refers to a key, name it in \"referenced-by\" of that key's collection in mintmark.yaml"
        + " and see mintmark migrate plan; if not, make it uuid, under a lock that blocks all reads and"
        + " writes while the table is written anew"
        + (kind == Kind.ULID ? ", after mintmark pack install" : "")
        + ": alter table %s %s%s type uuid using %s%s"
            .formatted(
                head.table().shown(),
                text.isEmpty() ? "" : column + " drop default, ",
                column,
                kind.uuid(head.shown()),
                text.isEmpty() ? "" : ", " + column + " set default " + kind.uuid(text));
  }

  /** Bytes of one entry; those of one column are filled up to a multiple of 8. */
  private static long saved(IndexOf index, int width) {
    if (index.columns() > 1) {
      return Math.max(0, width - UUID_BYTES);
    }
    int padded = (INDEX_ENTRY_BYTES + width + 7) / 8 * 8;
    return Math.max(0, padded - INDEX_ENTRY_BYTES - UUID_BYTES);
  }
}
