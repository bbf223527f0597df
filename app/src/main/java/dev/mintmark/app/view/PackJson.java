package dev.mintmark.app.view;

import com.fasterxml.jackson.annotation.JsonInclude;
import dev.mintmark.postgres.pack.Difference;
import dev.mintmark.postgres.pack.Difference.Changed;
import dev.mintmark.postgres.pack.Difference.ClockAhead;
import dev.mintmark.postgres.pack.Difference.MayCreate;
import dev.mintmark.postgres.pack.Difference.Missing;
import dev.mintmark.postgres.pack.Difference.NotOfPack;
import dev.mintmark.postgres.pack.Difference.OwnedByOther;
import java.util.List;
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

  /** The differences between a schema and a version. */
  public record Verified(String schema, int version, List<Differing> differences) {}

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
