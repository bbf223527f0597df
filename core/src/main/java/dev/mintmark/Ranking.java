package dev.mintmark;

import java.math.BigInteger;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which layouts a text may have, the most likely first. Few identifiers are self-describing: any
 * 128 bits are a ULID, one in 64 has the version and variant of a UUIDv4 by chance, and a number
 * may be anything. So the ranking uses the notation of the identifier, and whether the time in it
 * is a plausible time of its creation.
 *
 * <p>A layout stays if it fits the bits, and if its {@link Evidence} is enough:
 *
 * <pre>
 *   NOTATION   always
 *   MARK       always
 *   CHECK      always
 *   DECLARED   if the time is plausible
 *   TIME       if the time is plausible
 *   LOOK       if no other stays by its notation or its mark, and only the first of the table
 *   NOTHING_ELSE   if no other stays, and only the first of the table
 *   SHAPE      if the time is plausible, and no other stays by its notation, mark, check or time
 * </pre>
 *
 * <p>Of two that stay, the first of these rules that distinguishes them determines the order:
 *
 * <ol>
 *   <li>A layout with a notation of its own is before all others.
 *   <li>A layout of which the text has only a loose form is after all others.
 *   <li>A plausible time is before an implausible one. A time is plausible from the first use of
 *       the layout to one day from now. A layout without a time counts as plausible.
 *   <li>A layout that the catalog declares is before the built-in ones, in the order of the
 *       catalog.
 *   <li>The more widespread layout is first: that is the order of {@link Layouts}.
 * </ol>
 */
final class Ranking {
  private static final Comparator<Candidate> BY_NOTATION_AND_TIME =
      Comparator.comparing((Candidate candidate) -> candidate.evidence != Evidence.NOTATION)
          .thenComparing(candidate -> candidate.evidence == Evidence.SHAPE)
          .thenComparing(candidate -> !candidate.isPlausible);

  private static final Comparator<Candidate> LIKELY_FIRST =
      BY_NOTATION_AND_TIME.thenComparingInt(Candidate::place);

  private Ranking() {}

  /** The place of the layouts of a catalog: before those of {@link Layouts}. */
  private static final int PLACE_OF_DECLARED = -1;

  /**
   * A layout of a text, with its rank.
   *
   * @param notation the notation, {@link Notation#DECLARED} for a layout of the catalog
   * @param codec which characters have which bits
   * @param number the number of the text in the notation
   * @param evidence the evidence for the layout
   * @param reason the reason for its rank, in a sentence
   */
  record Ranked(
      Layout layout,
      Notation notation,
      Notation.Codec codec,
      BigInteger number,
      Evidence evidence,
      String reason) {}

  private record Candidate(
      Layout layout,
      Notation notation,
      Notation.Codec codec,
      String what,
      BigInteger number,
      Evidence evidence,
      boolean isPlausible) {

    private boolean leavesNoRoomFor(Candidate look) {
      return switch (evidence) {
        case NOTATION, MARK -> true;
        case CHECK, DECLARED, TIME, SHAPE -> false;
        case LOOK, NOTHING_ELSE -> place() < look.place();
      };
    }

    /** Whether no loose form is worth mentioning beside it. */
    private boolean isBetterThanShape() {
      return switch (evidence) {
        case NOTATION, MARK, CHECK -> true;
        case DECLARED, TIME -> isPlausible;
        case LOOK, NOTHING_ELSE, SHAPE -> false;
      };
    }

    private int place() {
      return layout.isDeclared() ? PLACE_OF_DECLARED : Layouts.place(layout);
    }

    private String evidenceReason() {
      return switch (evidence) {
        case NOTATION -> "only this kind is written as " + what;
        case MARK -> "its fixed bits are those of this kind";
        case CHECK -> "it is written as " + what + ", and its check digits are right";
        case DECLARED -> "the catalog declares this kind, which is written as " + what;
        case TIME -> "this kind, among others, is written as " + what;
        case LOOK, NOTHING_ELSE -> "it has the form of this kind, and there is no other evidence";
        case SHAPE -> "it can be " + what + ", but texts of other kinds look alike";
      };
    }

    private String timeReason() {
      if (layout.time(number).isEmpty()) {
        return "";
      }
      return isPlausible ? ", and its time is plausible" : ", but its time is not plausible";
    }
  }

  /** Returns the built-in layouts that {@code text} may have, the most likely first. */
  static List<Ranked> of(String text, Instant now) {
    return of(text, now, DeclaredFormats.NONE);
  }

  /** Returns the layouts that {@code text} may have, the most likely first. */
  static List<Ranked> of(String text, Instant now, DeclaredFormats formats) {
    List<Candidate> fitting = new ArrayList<>();
    formats.rows().forEach(row -> addFitting(fitting, row, text, now));
    for (Notation notation : Notation.values()) {
      notation.decode(text).ifPresent(number -> addFitting(fitting, notation, number, now));
    }
    fitting.sort(LIKELY_FIRST);
    List<Candidate> staying =
        fitting.stream().filter(candidate -> stays(candidate, fitting)).toList();
    return IntStream.range(0, staying.size()).mapToObj(i -> ranked(staying, i)).toList();
  }

  private static void addFitting(
      List<Candidate> fitting, DeclaredFormats.Row row, String text, Instant now) {
    row.codec()
        .decode(text)
        .filter(row.layout()::fits)
        .map(
            number ->
                new Candidate(
                    row.layout(),
                    Notation.DECLARED,
                    row.codec(),
                    row.what(),
                    number,
                    row.evidence(),
                    row.layout().isPlausible(number, now)))
        .ifPresent(fitting::add);
  }

  private static void addFitting(
      List<Candidate> fitting, Notation notation, BigInteger number, Instant now) {
    for (Layout layout : Layouts.ALL) {
      layout
          .evidence(notation)
          .filter(evidence -> layout.fits(number))
          .map(
              evidence ->
                  new Candidate(
                      layout,
                      notation,
                      notation.codec(),
                      notation.what(),
                      number,
                      evidence,
                      layout.isPlausible(number, now)))
          .ifPresent(fitting::add);
    }
  }

  private static boolean stays(Candidate candidate, List<Candidate> fitting) {
    return switch (candidate.evidence) {
      case NOTATION, MARK, CHECK -> true;
      case DECLARED, TIME -> candidate.isPlausible;
      case SHAPE ->
          candidate.isPlausible && fitting.stream().noneMatch(Candidate::isBetterThanShape);
      case NOTHING_ELSE ->
          fitting.stream()
              .allMatch(
                  other ->
                      other.evidence == Evidence.NOTHING_ELSE
                          ? other.place() >= candidate.place()
                          : other.evidence == Evidence.SHAPE || !stays(other, fitting));
      case LOOK -> fitting.stream().noneMatch(other -> other.leavesNoRoomFor(candidate));
    };
  }

  private static Ranked ranked(List<Candidate> staying, int i) {
    Candidate candidate = staying.get(i);
    boolean isTied = i > 0 && BY_NOTATION_AND_TIME.compare(staying.get(i - 1), candidate) == 0;
    String reason =
        candidate.evidenceReason()
            + candidate.timeReason()
            + (isTied ? tie(staying.get(i - 1)) : "");
    return new Ranked(
        candidate.layout,
        candidate.notation,
        candidate.codec,
        candidate.number,
        candidate.evidence,
        reason);
  }

  private static String tie(Candidate before) {
    return before.layout.isDeclared()
        ? "; the catalog declares the kind before"
        : "; the kind before is more widespread";
  }
}
