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
 *   TIME       if the time is plausible
 *   LOOK       if no other stays by its notation or its mark, and only the first of the table
 *   NOTHING_ELSE   if no other stays, and only the first of the table
 * </pre>
 *
 * <p>Of two that stay, the first of these rules that distinguishes them determines the order:
 *
 * <ol>
 *   <li>A layout with a notation of its own is before all others.
 *   <li>A plausible time is before an implausible one. A time is plausible from the first use of
 *       the layout to one day from now. A layout without a time counts as plausible.
 *   <li>The more widespread layout is first: that is the order of {@link Layout}.
 * </ol>
 */
final class Ranking {
  private static final Comparator<Candidate> BY_NOTATION_AND_TIME =
      Comparator.comparing((Candidate candidate) -> candidate.evidence != Evidence.NOTATION)
          .thenComparing(candidate -> !candidate.isPlausible);

  private static final Comparator<Candidate> LIKELY_FIRST =
      BY_NOTATION_AND_TIME.thenComparing(Candidate::layout);

  private Ranking() {}

  /**
   * A layout of a text, with its rank.
   *
   * @param number the number of the text in the notation
   * @param reason the reason for its rank, in a sentence
   */
  record Ranked(Layout layout, Notation notation, BigInteger number, String reason) {}

  private record Candidate(
      Layout layout, Notation notation, BigInteger number, Evidence evidence, boolean isPlausible) {

    private boolean leavesNoRoomFor(Candidate look) {
      return switch (evidence) {
        case NOTATION, MARK -> true;
        case TIME -> false;
        case LOOK, NOTHING_ELSE -> layout.compareTo(look.layout) < 0;
      };
    }

    private String evidenceReason() {
      return switch (evidence) {
        case NOTATION -> "only this kind is written as " + notation.what();
        case MARK -> "its fixed bits are those of this kind";
        case TIME -> "this kind, among others, is written as " + notation.what();
        case LOOK, NOTHING_ELSE -> "it has the form of this kind, and there is no other evidence";
      };
    }

    private String timeReason() {
      if (layout.time(number).isEmpty()) {
        return "";
      }
      return isPlausible ? ", and its time is plausible" : ", but its time is not plausible";
    }
  }

  /** Returns the layouts that {@code text} may have, the most likely first. */
  static List<Ranked> of(String text, Instant now) {
    List<Candidate> fitting = new ArrayList<>();
    for (Notation notation : Notation.values()) {
      notation.decode(text).ifPresent(number -> addFitting(fitting, notation, number, now));
    }
    fitting.sort(LIKELY_FIRST);
    List<Candidate> staying =
        fitting.stream().filter(candidate -> stays(candidate, fitting)).toList();
    return IntStream.range(0, staying.size()).mapToObj(i -> ranked(staying, i)).toList();
  }

  private static void addFitting(
      List<Candidate> fitting, Notation notation, BigInteger number, Instant now) {
    for (Layout layout : Layout.values()) {
      layout
          .evidence(notation)
          .filter(evidence -> layout.fits(number))
          .map(
              evidence ->
                  new Candidate(
                      layout, notation, number, evidence, layout.isPlausible(number, now)))
          .ifPresent(fitting::add);
    }
  }

  private static boolean stays(Candidate candidate, List<Candidate> fitting) {
    return switch (candidate.evidence) {
      case NOTATION, MARK -> true;
      case TIME -> candidate.isPlausible;
      case NOTHING_ELSE ->
          fitting.stream()
              .allMatch(
                  other ->
                      other.evidence == Evidence.NOTHING_ELSE
                          ? other.layout.compareTo(candidate.layout) >= 0
                          : !stays(other, fitting));
      case LOOK -> fitting.stream().noneMatch(other -> other.leavesNoRoomFor(candidate));
    };
  }

  private static Ranked ranked(List<Candidate> staying, int i) {
    Candidate candidate = staying.get(i);
    boolean isTied = i > 0 && BY_NOTATION_AND_TIME.compare(staying.get(i - 1), candidate) == 0;
    String reason =
        candidate.evidenceReason()
            + candidate.timeReason()
            + (isTied ? "; the kind before is more widespread" : "");
    return new Ranked(candidate.layout, candidate.notation, candidate.number, reason);
  }
}
