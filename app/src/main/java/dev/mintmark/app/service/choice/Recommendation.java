package dev.mintmark.app.service.choice;

import dev.mintmark.Kind;
import dev.mintmark.Scheme;
import java.util.List;
import java.util.Optional;

/**
 * What to take, and why.
 *
 * @param choice the row of the table
 * @param kind the kind of a collection; empty if ids are not those of a collection
 * @param storage the type of the column: {@code uuid}, {@code bigint}, {@code integer} or {@code
 *     bytea}; empty if that depends on the pool
 * @param face how ids are shown outside
 * @param mint the default of the column, or what mints in a program
 * @param reasons sentences
 * @param costs what it costs, in sentences
 * @param unmet answers that it does not meet, and what to do, in sentences; usually none
 * @param runnerUp what to take under another condition; empty if there is nothing
 * @param catalog the lines of {@code mintmark.yaml}; empty if there is nothing to declare
 * @param sql the column, or how it changes
 * @param scheme the row of the comparison; empty if it is none of these
 */
public record Recommendation(
    Choice choice,
    Optional<Kind> kind,
    Optional<String> storage,
    Face face,
    String mint,
    List<String> reasons,
    List<String> costs,
    List<String> unmet,
    Optional<RunnerUp> runnerUp,
    Optional<String> catalog,
    String sql,
    Optional<Scheme> scheme) {
  /** How ids are shown outside. */
  public enum Face {
    PLAIN("as it is stored"),
    PREFIXED("with a prefix: PM000123"),
    PURI("as a pURI: acme:orders:123"),
    ULID("as a ULID: 26 characters, by mintmark.ulid_text(id)"),
    TYPEID("as a TypeID: ord_01h4..."),
    MASK("as a mask: ord_ and 27 characters, which hide the id"),
    SHORT_MASK("as a short mask: ord_ and 14 characters, which hide the number");

    private final String text;

    Face(String text) {
      this.text = text;
    }

    /** Returns it in words. */
    public String text() {
      return text;
    }

    /** Whether it hides the identifier. */
    public boolean isMask() {
      return this == MASK || this == SHORT_MASK;
    }
  }

  /**
   * The choice that comes second.
   *
   * @param when the condition under which it is better
   */
  public record RunnerUp(Choice choice, String when) {}
}
