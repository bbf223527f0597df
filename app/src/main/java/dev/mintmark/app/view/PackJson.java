package dev.mintmark.app.view;

import dev.mintmark.postgres.pack.Difference;
import dev.mintmark.postgres.pack.Difference.Changed;
import dev.mintmark.postgres.pack.Difference.Missing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The results of {@code mintmark pack} as JSON. */
public final class PackJson {
  private PackJson() {}

  /** The installed version, the version before it, and the changed objects. */
  public record Installed(
      String schema, int version, @Nullable Integer before, List<Differing> differences) {}

  /** The differences between a schema and a version. */
  public record Verified(String schema, int version, List<Differing> differences) {}

  /** The dropped objects; empty if other objects use the pack. */
  public record Uninstalled(String schema, List<String> dropped, List<String> dependents) {}

  /** A difference; the definitions are present if both sides have one and they differ. */
  public record Differing(
      String kind, String object, @Nullable String expected, @Nullable String found) {
    public static Differing of(Difference difference) {
      if (difference instanceof Missing missing) {
        return new Differing("missing", missing.object(), null, null);
      }
      if (difference instanceof Changed changed) {
        return new Differing("changed", changed.object(), changed.expected(), changed.found());
      }
      return new Differing("not-for-all", difference.object(), null, null);
    }
  }
}
