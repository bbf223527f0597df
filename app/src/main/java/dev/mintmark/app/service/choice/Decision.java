package dev.mintmark.app.service.choice;

import dev.mintmark.Kind;
import dev.mintmark.Scheme;
import dev.mintmark.app.service.choice.Answer.Column;
import dev.mintmark.app.service.choice.Answer.Minter;
import dev.mintmark.app.service.choice.Answer.Ordered;
import dev.mintmark.app.service.choice.Answer.Reader;
import dev.mintmark.app.service.choice.Answer.Secret;
import dev.mintmark.app.service.choice.Answer.Size;
import dev.mintmark.app.service.choice.Recommendation.Face;
import dev.mintmark.app.service.choice.Recommendation.RunnerUp;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Recommends an identifier. {@link Choice} says which one; this class says how it is declared and
 * minted for the given answers, what it costs, and which answers it does not meet.
 */
public final class Decision {
  private final Answers answers;
  private final Choice choice;

  private Decision(Answers answers) {
    this.answers = answers;
    this.choice = Choice.of(answers);
  }

  /** Returns the recommendation for these answers. There is always exactly one. */
  public static Recommendation of(Answers answers) {
    return new Decision(answers).recommendation();
  }

  private Recommendation recommendation() {
    Declaration declaration = new Declaration(answers, choice, kind(), face(), isNarrow());
    return new Recommendation(
        choice,
        kind(),
        storage(),
        face(),
        declaration.mint(),
        reasons(),
        costs(),
        unmet(),
        runnerUp(),
        declaration.catalog(),
        declaration.sql(),
        scheme());
  }

  private Optional<Kind> kind() {
    return switch (choice) {
      case TOKEN, POOL -> Optional.empty();
      case PREFIXED_NUMBER, NUMBER, MASKED_NUMBER -> Optional.of(Kind.SEQUENCE);
      case SNOWFLAKE -> Optional.of(Kind.SNOWFLAKE);
      case TYPEID -> Optional.of(Kind.TYPEID);
      case UUIDV4 -> Optional.of(Kind.UUIDV4);
      case ULID -> Optional.of(Kind.ULID);
      case MASKED_UUIDV7, UUIDV7 -> Optional.of(Kind.UUIDV7);
    };
  }

  private Optional<String> storage() {
    return switch (choice) {
      case TOKEN -> Optional.of("bytea");
      case POOL -> Optional.empty();
      default -> Optional.of(isNarrow() ? "integer" : kind().orElseThrow().storage().label());
    };
  }

  /** Whether an integer column exists and has enough numbers. */
  private boolean isNarrow() {
    return choice.isSequence()
        && answers.column() == Column.INTEGER
        && answers.load().fits(Scheme.SEQUENCE_INTEGER);
  }

  private Face face() {
    return switch (choice) {
      case TOKEN, POOL, UUIDV7 -> Face.PLAIN;
      case PREFIXED_NUMBER -> answers.secret() == Secret.NOTHING ? Face.PREFIXED : Face.SHORT_MASK;
      case NUMBER -> answers.readBy() == Reader.DEVELOPERS ? Face.PURI : Face.PLAIN;
      case SNOWFLAKE ->
          answers.secret() != Secret.NOTHING
              ? Face.MASK
              : answers.readBy() == Reader.DEVELOPERS ? Face.PURI : Face.PLAIN;
      case MASKED_NUMBER, MASKED_UUIDV7 -> Face.MASK;
      case TYPEID -> Face.TYPEID;
      case UUIDV4 -> isReadByPeople() ? Face.ULID : Face.PLAIN;
      case ULID -> Face.ULID;
    };
  }

  private boolean isReadByPeople() {
    return answers.readBy() == Reader.PEOPLE || answers.readBy() == Reader.TYPISTS;
  }

  private Optional<Scheme> scheme() {
    boolean ascends = answers.order() == Ordered.STRICT;
    return switch (choice) {
      case TOKEN, POOL -> Optional.empty();
      case PREFIXED_NUMBER, NUMBER, MASKED_NUMBER ->
          Optional.of(isNarrow() ? Scheme.SEQUENCE_INTEGER : Scheme.SEQUENCE_BIGINT);
      case SNOWFLAKE -> Optional.of(Scheme.SNOWFLAKE_TWITTER);
      case TYPEID -> Optional.of(Scheme.TYPEID);
      case UUIDV4 -> Optional.of(Scheme.UUIDV4);
      case ULID -> Optional.of(ascends ? Scheme.ULID_ASCENDING : Scheme.ULID);
      case MASKED_UUIDV7, UUIDV7 -> Optional.of(ascends ? Scheme.UUIDV7_ASCENDING : Scheme.UUIDV7);
    };
  }

  private List<String> reasons() {
    List<String> reasons = new ArrayList<>(List.of(choice.reason()));
    if (choice == Choice.TOKEN || choice == Choice.POOL) {
      return reasons;
    }
    if (choice.isSequence() && face() == Face.SHORT_MASK) {
      reasons.add("The mask hides how many rows there are, and is short enough to type.");
    }
    if (choice == Choice.SNOWFLAKE && face().isMask()) {
      reasons.add("A Snowflake contains the millisecond and a counter; the mask hides both.");
    }
    if (choice.isUuid() && choice != Choice.UUIDV4 && answers.secret() == Secret.COUNT) {
      reasons.add("It has no count of rows, and its random bits cannot be guessed.");
    }
    if (choice.isUuid() && isOneMint()) {
      reasons.add("mintmark.ulid_monotonic() ascends across all sessions of the database.");
    }
    switch (answers.column()) {
      case NEW -> {}
      case UUID ->
          reasons.add(
              "UUIDs of any version can be in one uuid column: change the mint, not the rows.");
      case BIGINT ->
          reasons.add(
              choice.isNumber()
                  ? "The column keeps its type."
                  : "The key keeps its type; a second column has the new ids.");
      case INTEGER -> reasons.add(reasonOfInteger());
      case TEXT ->
          reasons.add(
              choice.isNumber()
                  ? "Migrate the column to bigint: rows keep their numbers."
                  : "Migrate the column to uuid: 16 bytes; as text a ULID takes 27, a UUID 37.");
    }
    return reasons;
  }

  private String reasonOfInteger() {
    if (isNarrow()) {
      return "The column keeps its type: it has enough numbers.";
    }
    if (choice == Choice.SNOWFLAKE) {
      return "Migrate the column to bigint: a Snowflake has 63 bits.";
    }
    return choice.isSequence()
        ? "Migrate the column to bigint: at %s a second an integer is used up after %s."
            .formatted(
                Figures.of(answers.load().ratePerSecond()), fullAfter(Scheme.SEQUENCE_INTEGER))
        : "The key keeps its type; a second column has the new ids.";
  }

  private String fullAfter(Scheme scheme) {
    return Load.span(scheme.secondsUntilFull(answers.load().ratePerSecond()).orElseThrow());
  }

  private List<String> costs() {
    List<String> costs = new ArrayList<>();
    switch (choice) {
      case TOKEN -> costs.add("Each check of a token computes a digest and looks it up.");
      case POOL ->
          costs.add("A claim is a statement of the database, and a value is held until released.");
      default -> {
        Scheme scheme = scheme().orElseThrow();
        costs.add("%s bytes in each row and each reference.".formatted(scheme.bytes()));
        costs.add(uniqueness(scheme));
        scheme
            .lastTime()
            .map(last -> last.atOffset(ZoneOffset.UTC).getYear())
            .ifPresent(year -> costs.add("Its time ends in the year %s.".formatted(year)));
      }
    }
    if (choice == Choice.UUIDV4) {
      costs.add("Inserts cost more as the table outgrows memory: each changes another page.");
    }
    if (face().isMask()) {
      costs.add("The mask needs a secret, and a program that shows and opens it.");
    }
    if (choice == Choice.SNOWFLAKE) {
      costs.add("Each process leases its worker number, of which there are 1,024.");
    }
    if (choice.isUuid() && answers.hasOrder() && answers.isMintedOffline()) {
      costs.add("The order is that of the clocks of the devices.");
    }
    return costs;
  }

  private String uniqueness(Scheme scheme) {
    if (choice.isUuid() && isOneMint()) {
      return "All ids come from one mint, which never repeats one.";
    }
    return switch (scheme.uniqueness()) {
      case BY_CHANCE ->
          "At %s, the odds that two ids are equal are: %s. A primary key rejects the second one."
              .formatted(answers.load().text(), answers.load().collision(scheme));
      case BY_NODE -> "Ids differ as long as no two processes have one worker number.";
      case BY_COUNTER ->
          "At %s a second, the numbers end after %s."
              .formatted(Figures.of(answers.load().ratePerSecond()), fullAfter(scheme));
    };
  }

  private boolean isOneMint() {
    return answers.order() == Ordered.STRICT && answers.mintedBy() == Minter.DATABASE;
  }

  private List<String> unmet() {
    List<String> unmet = new ArrayList<>();
    if (choice == Choice.TOKEN) {
      return unmet;
    }
    if (choice == Choice.POOL) {
      if (answers.hasOrder()) {
        unmet.add("The order: values are handed out again. Sort by a column with the time.");
      }
      if (answers.isMintedOffline()) {
        unmet.add("Offline: a claim needs the database, so a device must claim in advance.");
      }
      if (answers.secret() != Secret.NOTHING) {
        unmet.add("The secret: the values of a range can be guessed. Check access to each.");
      }
      return unmet;
    }
    if (answers.size() == Size.BYTES_8 && choice.isUuid()) {
      unmet.add("The size: " + whyNotSmall());
    }
    if (answers.readBy() == Reader.TYPISTS && choice != Choice.PREFIXED_NUMBER) {
      unmet.add(
          choice.isNumber()
              ? "Typing: the number is long. Show it in groups."
              : "Typing: an id of 16 bytes has 26 characters or more.");
    }
    if (choice == Choice.MASKED_UUIDV7 && answers.isMintedOffline()) {
      unmet.add(
          "The secret: a device that mints an id knows its time. Servers show the mask to all"
              + " others.");
    }
    addUnmetOrder(unmet);
    return unmet;
  }

  private String whyNotSmall() {
    if (answers.column() == Column.UUID || answers.column() == Column.TEXT) {
      return "the rows have their ids, and 8 bytes do not hold them.";
    }
    return answers.isMintedOffline()
        ? "8 bytes are too few for ids that are made offline, unless each device has a worker"
            + " number of its own."
        : "8 bytes are too few for " + answers.load().text() + ".";
  }

  private void addUnmetOrder(List<String> unmet) {
    if (choice.isSequence()) {
      if (answers.hasOrder() && answers.mintedBy() == Minter.SERVERS) {
        unmet.add("The order: each database counts in ranges of its own. Sort by a time.");
      }
    } else if (answers.order() == Ordered.STRICT && answers.mintedBy() != Minter.DATABASE) {
      unmet.add(
          "The order: ids of two processes in one millisecond have none. Let one database mint if"
              + " that matters.");
    }
  }

  private Optional<RunnerUp> runnerUp() {
    boolean hidesTime = answers.secret() == Secret.TIME;
    Choice sixteenBytes = hidesTime ? Choice.MASKED_UUIDV7 : Choice.UUIDV7;
    return switch (choice) {
      case TOKEN -> Optional.empty();
      case POOL ->
          runnerUp(
              hidesTime ? Choice.UUIDV4 : Choice.UUIDV7, "the values need not come from a range");
      case PREFIXED_NUMBER ->
          runnerUp(
              hidesTime ? Choice.UUIDV4 : Choice.ULID,
              "people read or search for ids rather than type them");
      case NUMBER, MASKED_NUMBER ->
          runnerUp(sixteenBytes, "another database or a program will also make ids");
      case SNOWFLAKE -> runnerUp(sixteenBytes, "16 bytes are fine: no worker numbers are needed");
      case TYPEID -> runnerUp(Choice.UUIDV7, "clients need not see what an id refers to");
      case MASKED_UUIDV7 ->
          runnerUp(Choice.UUIDV4, "a column with the time gives the order: no mask is needed");
      case UUIDV4 ->
          runnerUp(Choice.MASKED_UUIDV7, "the table outgrows memory, or rows are read in order");
      case ULID -> runnerUp(Choice.UUIDV7, "36 characters with hyphens are fine");
      case UUIDV7 ->
          isNumberPossible()
              ? runnerUp(
                  answers.secret() == Secret.NOTHING ? Choice.NUMBER : Choice.MASKED_NUMBER,
                  "joins are frequent, and one database will always make all ids")
              : runnerUp(Choice.ULID, "people read, dictate or search for ids");
    };
  }

  private static Optional<RunnerUp> runnerUp(Choice choice, String when) {
    return Optional.of(new RunnerUp(choice, when));
  }

  private boolean isNumberPossible() {
    return answers.column() == Column.NEW
        && answers.mintedBy() == Minter.DATABASE
        && answers.load().fits(Scheme.SEQUENCE_BIGINT);
  }
}
