package dev.mintmark.app.service.choice;

import dev.mintmark.Kind;
import dev.mintmark.app.service.choice.Answer.Column;
import dev.mintmark.app.service.choice.Answer.Minter;
import dev.mintmark.app.service.choice.Answer.Ordered;
import dev.mintmark.app.service.choice.Recommendation.Face;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How a choice is declared in {@code mintmark.yaml} and in SQL, for a table {@code orders}.
 *
 * @param kind empty if ids are not those of a collection
 * @param narrow whether the column remains an integer
 */
record Declaration(Answers answers, Choice choice, Optional<Kind> kind, Face face, boolean narrow) {
  private static final String TOKENS =
      """
      create table access_tokens (
        digest bytea primary key check (octet_length(digest) = 32),
        expires_at timestamptz not null
      );
      """;

  private static final String CLAIM =
      """
      select outcome, value, token from mintmark.claim_value('order-codes', 'client-1');
      """;

  private static final String POOL =
      """
      pools:
        order-codes: { range: 1000..9999, lease: none%s }
      """;

  private static final String COLLECTION =
      """
      collections:
        orders: { %s }
      """;

  /** The lines of {@code mintmark.yaml}, after those of its namespace. */
  Optional<String> catalog() {
    return switch (choice) {
      case TOKEN -> Optional.empty();
      case POOL -> Optional.of(POOL.formatted(answers.hasOrder() ? ", order: ascending" : ""));
      default -> Optional.of(COLLECTION.formatted(String.join(", ", words())));
    };
  }

  private List<String> words() {
    List<String> words = new ArrayList<>();
    words.add("kind: " + kind.orElseThrow().label());
    if (choice == Choice.PREFIXED_NUMBER) {
      words.add("prefix: PM");
      words.add("width: 6");
    }
    if (choice == Choice.TYPEID) {
      words.add("prefix: ord");
    }
    words.add("table: orders");
    if (isSecondColumn()) {
      words.add("column: public_id");
    }
    if (narrow) {
      words.add("storage: integer");
    }
    if (choice.isUuid()) {
      words.add("mint: " + (isMintedByDatabase() ? "server" : "application"));
      if (hasStrictOrder()) {
        words.add("order: ascending");
      }
    }
    if (face == Face.MASK) {
      words.add("face: { mask: ord, key-label: orders }");
    }
    if (face == Face.SHORT_MASK) {
      words.add("face: { mask: ord, key-label: orders, shape: short }");
    }
    return words;
  }

  /** Whether ids are in a column beside a key of numbers. */
  private boolean isSecondColumn() {
    return choice.isUuid()
        && (answers.column() == Column.BIGINT || answers.column() == Column.INTEGER);
  }

  private boolean isMintedByDatabase() {
    return answers.mintedBy() == Minter.DATABASE;
  }

  private boolean hasStrictOrder() {
    return answers.order() == Ordered.STRICT
        && kind.filter(k -> k.has(Kind.Option.ORDER)).isPresent();
  }

  /** The default of the column, or what mints in a program. */
  String mint() {
    return switch (choice) {
      case TOKEN -> "SecureRandom, or another source for secrets: 32 bytes";
      case POOL -> "mintmark.claim_value('order-codes', 'client-1')";
      case PREFIXED_NUMBER, NUMBER, MASKED_NUMBER ->
          isMintedByDatabase()
              ? "the sequence of the column"
              : "the sequence of the column, which SequenceFeed fills with leased ranges";
      case SNOWFLAKE -> "LeasedSnowflakes in each process";
      default -> isMintedByDatabase() ? function() : mintOfProgram();
    };
  }

  private String function() {
    return switch (kind.orElseThrow()) {
      case UUIDV4 -> "gen_random_uuid()";
      case ULID -> hasStrictOrder() ? "mintmark.ulid_monotonic()" : "mintmark.ulid()";
      default -> hasStrictOrder() ? "mintmark.ulid_monotonic()" : "mintmark.uuidv7()";
    };
  }

  private String mintOfProgram() {
    return "a mint of the program, or mintmark mint --kind "
        + kind.orElseThrow().label()
        + (kind.get() == Kind.TYPEID ? " --prefix ord" : "");
  }

  /** The column of a new table, or how the column of an existing one changes. */
  String sql() {
    return switch (choice) {
      case TOKEN -> TOKENS;
      case POOL -> CLAIM;
      default ->
          switch (answers.column()) {
            case NEW -> "create table orders (\n  " + column("id") + "\n);\n";
            case UUID -> "alter table orders alter column id " + defaultClause() + ";\n";
            case TEXT -> migrated("id");
            case BIGINT, INTEGER -> isSecondColumn() ? migrated("public_id") : ofNumbers();
          };
    };
  }

  private String defaultClause() {
    return isMintedByDatabase() ? "set default " + function() : "drop default";
  }

  private String ofNumbers() {
    if (choice.isSequence()) {
      return answers.column() == Column.INTEGER && !narrow
          ? migrated("id")
          : "-- The column and its sequence stay as they are.\n";
    }
    return answers.column() == Column.INTEGER
        ? migrated("id")
        : """
        alter table orders alter column id drop identity if exists;
        alter table orders alter column id drop default;
        """;
  }

  private String migrated(String name) {
    return """
    -- "mintmark migrate plan" shows the steps to this column:
    -- %s
    """
        .formatted(column(name));
  }

  private String column(String name) {
    String type = kind.orElseThrow().storage().label();
    String key = isSecondColumn() ? "unique" : "primary key";
    return "%s %s%s %s".formatted(name, type, value(), key);
  }

  private String value() {
    if (choice.isSequence()) {
      return " generated by default as identity";
    }
    return choice.isUuid() && isMintedByDatabase() ? " default " + function() : "";
  }
}
