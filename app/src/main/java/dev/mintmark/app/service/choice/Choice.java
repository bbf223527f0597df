package dev.mintmark.app.service.choice;

import dev.mintmark.Scheme;
import dev.mintmark.app.service.choice.Answer.Column;
import dev.mintmark.app.service.choice.Answer.Minter;
import dev.mintmark.app.service.choice.Answer.Reader;
import dev.mintmark.app.service.choice.Answer.Secret;
import dev.mintmark.app.service.choice.Answer.Size;
import java.util.Arrays;
import java.util.function.Predicate;

/**
 * The table of docs/choosing.md: the situations, and what to take in each. The first row that fits
 * the answers is the one to take; the last one fits all. A test compares the page with this table.
 */
public enum Choice {
  TOKEN(
      "A token that grants access",
      "none of these: 128 random bits or more",
      "An identifier is a name, not a secret. Store a digest of the token, and let it expire.",
      answers -> answers.secret() == Secret.ACCESS),
  POOL(
      "There are fewer values than clients: addresses, ports, codes",
      "a pool",
      "A random or time-based id cannot come from a range of 2,044 values.",
      answers -> answers.size() == Size.RANGE),
  PREFIXED_NUMBER(
      "People type it in (an invoice, a contract)",
      "a number with a prefix, PM000123",
      "It is short. It has gaps, because a transaction that rolls back does not return its number.",
      Choice::canBeTyped),
  NUMBER(
      "One database makes all ids, joins are frequent, and no id leaves the company",
      "bigint from a sequence",
      "It takes 8 bytes, and has the fastest insert. It counts your rows, and a second database"
          + " cannot make ids without an agreement.",
      answers -> canBeCounted(answers) && answers.secret() == Secret.NOTHING),
  MASKED_NUMBER(
      "The same, but clients see the ids",
      "bigint, and a mask outside",
      "The row stays small. Outside nobody can count rows or try the next number.",
      Choice::canBeCounted),
  SNOWFLAKE(
      "The column has 64 bits, and several processes make ids without the database",
      "Snowflake, with leased worker numbers",
      "Two processes with one worker number make equal ids. More than 2^53 is rounded by"
          + " JavaScript: send it as text.",
      Choice::canBeSnowflake),
  TYPEID(
      "A client should see what an id refers to",
      "TypeID as text outside, uuid inside",
      "user_01h4... cannot be passed where an order is expected. Stored as text it would take"
          + " twice the space. A pURI also has a namespace.",
      answers -> answers.readBy() == Reader.DEVELOPERS && answers.secret() != Secret.TIME),
  MASKED_UUIDV7(
      "The time of creation must not be seen outside, and rows are sorted by it",
      "UUIDv7, and a mask outside",
      "A UUIDv7 contains the millisecond. The mask hides it, and a prefix of the mask says what the"
          + " id refers to.",
      answers ->
          answers.secret() == Secret.TIME
              && (answers.hasOrder() || answers.readBy() == Reader.DEVELOPERS)),
  UUIDV4(
      "The time of creation must not be seen, and no order is needed",
      "UUIDv4",
      "It contains nothing but random bits, so there is nothing to hide. It puts new rows all over"
          + " the index.",
      answers -> answers.secret() == Secret.TIME),
  ULID(
      "People read, dictate or search for ids",
      "uuid, shown as a ULID",
      "It has 26 characters without hyphens, in any letter case. mintmark.ulid_text(id) shows it,"
          + " and a search box finds any form.",
      answers -> answers.readBy() == Reader.PEOPLE || answers.readBy() == Reader.TYPISTS),
  UUIDV7(
      "None of these",
      "UUIDv7 in a uuid column",
      "It takes 16 bytes, can be made before the row is inserted and by any number of processes, and"
          + " new rows are at the end of the index.",
      answers -> true);

  /** The nodes of a Snowflake, and the ids that each makes in a second. */
  private static final double SNOWFLAKES_PER_SECOND = 1_024 * 4_096_000.0;

  private final String situation;
  private final String take;
  private final String reason;

  @SuppressWarnings("ImmutableEnumChecker") // It has no state.
  private final Predicate<Answers> fits;

  Choice(String situation, String take, String reason, Predicate<Answers> fits) {
    this.situation = situation;
    this.take = take;
    this.reason = reason;
    this.fits = fits;
  }

  /** Returns the choice for these answers. */
  public static Choice of(Answers answers) {
    return Arrays.stream(values())
        .filter(choice -> choice.fits.test(answers))
        .findFirst()
        .orElseThrow();
  }

  /** Returns the situation in which it is the one to take. */
  public String situation() {
    return situation;
  }

  /** Returns what to take. */
  public String take() {
    return take;
  }

  /** Returns the reason, in sentences. */
  public String reason() {
    return reason;
  }

  /** Whether a sequence of a database makes the ids. */
  boolean isSequence() {
    return this == PREFIXED_NUMBER || this == NUMBER || this == MASKED_NUMBER;
  }

  /** Whether each id has a bigint or an integer. */
  boolean isNumber() {
    return isSequence() || this == SNOWFLAKE;
  }

  /** Whether it is an identifier that a column of UUIDs holds. */
  boolean isUuid() {
    return this == TYPEID
        || this == MASKED_UUIDV7
        || this == UUIDV4
        || this == ULID
        || this == UUIDV7;
  }

  private static boolean canBeTyped(Answers answers) {
    return answers.readBy() == Reader.TYPISTS
        && answers.column() != Column.UUID
        && isCountable(answers);
  }

  private static boolean canBeCounted(Answers answers) {
    return answers.areNumbers() && answers.mintedBy() == Minter.DATABASE && isCountable(answers);
  }

  /** Whether a database makes the ids, and a bigint has enough numbers. */
  private static boolean isCountable(Answers answers) {
    return !answers.isMintedOffline() && answers.load().fits(Scheme.SEQUENCE_BIGINT);
  }

  private static boolean canBeSnowflake(Answers answers) {
    return answers.areNumbers()
        && answers.mintedBy() == Minter.SERVERS
        && answers.load().ratePerSecond() <= SNOWFLAKES_PER_SECOND;
  }
}
