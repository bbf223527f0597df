package dev.mintmark.app.view;

import dev.mintmark.postgres.pack.Difference;
import dev.mintmark.postgres.pack.Difference.Changed;
import dev.mintmark.postgres.pack.Difference.Missing;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What became of the SQL pack, as JSON. */
public final class PackJson {
  private PackJson() {}

  /** Which version is in a schema now, which one was before, and what has changed for that. */
  public record Installed(
      String schema, int version, @Nullable Integer before, List<Differing> differences) {}

  /** In what a schema differs from a version. */
  public record Verified(String schema, int version, List<Differing> differences) {}

  /** What was dropped; nothing where there are those that still use it. */
  public record Uninstalled(String schema, List<String> dropped, List<String> dependents) {}

  /** One difference; the definitions are there where both have one and they are not the same. */
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
