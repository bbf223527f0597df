package dev.mintmark.app.view;

import dev.mintmark.app.maintenance.MigrationRuns;
import dev.mintmark.operations.migrate.MigrationSummary;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The migrations of a database as JSON, the last one first.
 *
 * @param obstacle why the role of the server cannot run the active migration; null if it can, or if
 *     none is active
 * @param run the last run in this server; null if there was none since it started
 */
public record MigrationListJson(
    List<MigrationSummaryJson> migrations, @Nullable String obstacle, @Nullable ServerRunJson run) {
  public static MigrationListJson of(
      List<MigrationSummary> migrations,
      Optional<String> obstacle,
      Optional<MigrationRuns.Run> run) {
    return new MigrationListJson(
        migrations.stream().map(MigrationSummaryJson::of).toList(),
        obstacle.orElse(null),
        run.map(ServerRunJson::of).orElse(null));
  }
}
