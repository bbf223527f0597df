package dev.mintmark.app.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mintmark.postgres.pack.Difference;
import dev.mintmark.postgres.pack.Difference.Changed;
import dev.mintmark.postgres.pack.Difference.ClockAhead;
import dev.mintmark.postgres.pack.Difference.MayCreate;
import dev.mintmark.postgres.pack.Difference.Missing;
import dev.mintmark.postgres.pack.Difference.NotOfPack;
import dev.mintmark.postgres.pack.Difference.OwnedByOther;
import dev.mintmark.postgres.pack.DropInState;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The results of {@code mintmark pack} as JSON. */
public final class PackJson {
  private PackJson() {}

  /** The installed version, the version before it, the changed objects, and what still differs. */
  public record Installed(
      String schema,
      int version,
      @Nullable Integer before,
      List<Differing> differences,
      List<Differing> remaining) {}

  /** The differences between a schema and a version, and the drop-ins of its pack. */
  public record Verified(
      String schema, int version, List<Differing> differences, List<Placed> dropIns) {
    /** {@code dropIns} says of each function whether the drop-in is still in place. */
    public static Verified of(
        String schema, int version, List<Differing> differences, Map<String, Boolean> dropIns) {
      return new Verified(
          schema,
          version,
          differences,
          dropIns.entrySet().stream()
              .map(entry -> new Placed(entry.getKey(), entry.getValue()))
              .toList());
    }
  }

  /** A function that a drop-in replaced, and whether it is still in place. */
  public record Placed(String function, boolean inPlace) {}

  /**
   * A function and its drop-in.
   *
   * @param state {@code replaced} just now, {@code in-place}, {@code replaceable}, {@code refused}
   *     or {@code absent}
   * @param function its name with its schema; null if it is absent
   * @param definition its definition; of a function that was replaced, the one before
   * @param restores what restores the comment and the definition before, if the drop-in is in place
   * @param reasons why the drop-in is refused, or cannot be undone by this role
   */
  public record DropIn(
      String state,
      @Nullable String function,
      @Nullable String definition,
      @Nullable String replacement,
      @Nullable String restores,
      List<String> dependents,
      List<String> mentions,
      List<String> changes,
      List<String> reasons,
      List<String> others) {
    /** The function that was replaced. */
    public static DropIn replaced(DropInState.Replaceable found) {
      return of("replaced", found);
    }

    /** What was found. */
    public static DropIn of(DropInState state) {
      if (state instanceof DropInState.Replaceable found) {
        return of("replaceable", found);
      }
      if (state instanceof DropInState.InPlace present) {
        return new DropIn(
            "in-place",
            present.function(),
            null,
            null,
            present.restores().orElse(null),
            List.of(),
            List.of(),
            List.of(),
            present.reasons(),
            List.of());
      }
      if (state instanceof DropInState.Refused refused) {
        return new DropIn(
            "refused",
            refused.function(),
            refused.definition(),
            null,
            null,
            List.of(),
            List.of(),
            List.of(),
            refused.reasons(),
            List.of());
      }
      DropInState.Absent absent = (DropInState.Absent) state;
      return new DropIn(
          "absent",
          null,
          null,
          absent.statement(),
          null,
          List.of(),
          List.of(),
          List.of(),
          List.of(),
          absent.others());
    }

    private static DropIn of(String state, DropInState.Replaceable found) {
      return new DropIn(
          state,
          found.function(),
          found.definition(),
          found.replacement(),
          null,
          found.dependents(),
          found.mentions(),
          found.changes(),
          List.of(),
          List.of());
    }
  }

  /** The dropped objects; empty if other objects use the pack. */
  public record Uninstalled(String schema, List<String> dropped, List<String> dependents) {}

  /**
   * A difference.
   *
   * @param expected the definition in this version, if both sides have one and they differ
   * @param found the definition in the schema, likewise
   * @param role the role that owns the object, or that may create functions in the schema, if that
   *     is the difference
   * @param time the time of a clock that is ahead, if that is the difference
   */
  public record Differing(
      String kind,
      String object,
      @Nullable String expected,
      @Nullable String found,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String role,
      @JsonInclude(JsonInclude.Include.NON_NULL) @Nullable String time) {
    public static Differing of(Difference difference) {
      if (difference instanceof Missing missing) {
        return new Differing("missing", missing.object(), null, null, null, null);
      }
      if (difference instanceof Changed changed) {
        return new Differing(
            "changed", changed.object(), changed.expected(), changed.found(), null, null);
      }
      if (difference instanceof OwnedByOther other) {
        return new Differing("owned-by-other", other.object(), null, null, other.owner(), null);
      }
      if (difference instanceof NotOfPack other) {
        return new Differing("not-of-pack", other.object(), null, null, other.owner(), null);
      }
      if (difference instanceof MayCreate other) {
        return new Differing("may-create", other.object(), null, null, other.role(), null);
      }
      if (difference instanceof ClockAhead clock) {
        return new Differing(
            "clock-ahead", clock.object(), null, null, null, clock.time().toString());
      }
      return new Differing("not-for-all", difference.object(), null, null, null, null);
    }
  }
}
