package dev.mintmark.app.cli.migrate;

import dev.mintmark.Quoted;
import dev.mintmark.app.cli.common.CatalogFile;
import dev.mintmark.app.cli.common.InvalidOption;
import dev.mintmark.app.service.LocatedPlan;
import dev.mintmark.catalog.LocatedCatalog;
import dev.mintmark.operations.migrate.MigrationOutcome;
import dev.mintmark.operations.migrate.MigrationState;
import dev.mintmark.operations.migrate.MigrationStatus;
import dev.mintmark.operations.migrate.Pace;
import java.sql.SQLException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark migrate apply}. */
@Command(
    name = "apply",
    description = {
      "Make a plan and apply it while the tables are in use, until both old and new columns are kept.",
      "There is no confirmation prompt: use --plan to apply only the plan that you have reviewed."
    })
final class MigrateApplyCommand extends MigrateRunSubcommand {
  @Option(
      names = "--plan",
      paramLabel = "FINGERPRINT",
      description = "Apply only this plan, as shown by migrate plan. Exit status 1 if it differs.")
  @Nullable String fingerprint;

  @Mixin InvalidOption invalid;

  @Override
  Work work() {
    Pace pace = paceOptions.pace();
    LocatedCatalog read = CatalogFile.readLocated(spec, catalog);
    return target -> {
      Optional<MigrationStatus> last = target.migrations().status();
      if (last.filter(status -> !status.state().isEnd()).isPresent()) {
        return apply(last.get());
      }
      return apply(
          target,
          pace,
          last,
          LocatedPlan.of(read, target.connections(), invalid.values, this::reportReading));
    };
  }

  private int apply(MigrationStatus active) {
    if (active.state() == MigrationState.BAKING && isShown(active.fingerprint())) {
      return print(new MigrationOutcome.Baking(active.migration()), Optional.of(active));
    }
    return refuse(String.join("\n  ", MigrateTexts.underWay(active)));
  }

  private int apply(Target target, Pace pace, Optional<MigrationStatus> last, LocatedPlan planned)
      throws SQLException {
    boolean isDone =
        planned.plan().isEmpty()
            && last.filter(status -> status.state() == MigrationState.CONTRACTED)
                .filter(status -> isShown(status.fingerprint()))
                .isPresent();
    String now = planned.plan().fingerprint();
    if (fingerprint != null && !isDone && !isShown(now)) {
      return refuse(
          "the plan is now %s, not %s: the database, the catalog or --invalid has changed since it"
                  .formatted(now, Quoted.of(fingerprint))
              + " was shown; review it with mintmark migrate plan");
    }
    if (!planned.refusals().isEmpty()) {
      planned.refusals().stream().flatMap(MigrateTexts::refusal).forEach(this::report);
      return refuse("the plan cannot be applied: nothing was changed");
    }
    if (!planned.plan().isEmpty()) {
      PlanText.summary(planned).forEach(this::notice);
    }
    return run(
        target,
        pace,
        (gentle, listener) -> target.migrations().apply(planned.plan(), gentle, listener));
  }

  private boolean isShown(String other) {
    return other.equals(fingerprint);
  }
}
