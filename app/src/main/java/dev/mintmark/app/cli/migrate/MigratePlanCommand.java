package dev.mintmark.app.cli.migrate;

import dev.mintmark.app.cli.common.CatalogFile;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.common.InvalidOption;
import dev.mintmark.app.service.LocatedPlan;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.MigrationPlanJson;
import dev.mintmark.catalog.LocatedCatalog;
import dev.mintmark.operations.migrate.MigrationStatus;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.ArgGroup;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark migrate plan}. */
@Command(
    name = "plan",
    description = {
      "Show the steps that change the keys of a database to what the catalog declares, with their"
          + " locks and costs, and until when they can be rolled back. Changes nothing.",
      "Exit status 1 if the plan has refusals, which are printed with a remedy, or if a table stays"
          + " locked."
    })
final class MigratePlanCommand extends MigrateSubcommand {
  @Mixin InvalidOption invalid;

  @ArgGroup Form form = new Form();

  /** The output format: text, unless one of these is selected. */
  static final class Form {
    @Option(names = "--json", description = "Print the plan as JSON, with all statements.")
    boolean json;

    @Option(
        names = "--sql",
        description = "Print all statements as a script for review; apply runs more than these.")
    boolean sql;
  }

  @Override
  Work work() {
    LocatedCatalog read = CatalogFile.readLocated(spec, catalog);
    return target -> {
      Optional<MigrationStatus> active =
          target.migrations().status().filter(status -> !status.state().isEnd());
      if (active.isPresent()) {
        printActive(active.get());
        return ExitStatus.DONE;
      }
      LocatedPlan plan =
          LocatedPlan.of(read, target.connections(), invalid.values, this::reportReading);
      print(plan);
      return plan.refusals().isEmpty() ? ExitStatus.DONE : ExitStatus.NO;
    };
  }

  /** A plan made during a migration would match neither the old nor the declared state. */
  private void printActive(MigrationStatus active) {
    List<String> notes = MigrateTexts.underWay(active);
    if (form.json) {
      Json.print(out(), MigrationPlanJson.of(active, notes));
    } else {
      String comment = form.sql ? "-- " : "";
      notes.forEach(line -> out().println(comment + line));
    }
  }

  private void print(LocatedPlan plan) {
    if (form.json) {
      Json.print(out(), MigrationPlanJson.of(plan));
    } else if (form.sql) {
      MigrateScript.of(plan).forEach(out()::println);
      plan.refusals().stream().flatMap(MigrateTexts::refusal).forEach(this::report);
    } else {
      PlanText.of(plan, catalog, invalid.values).forEach(this::tell);
    }
  }
}
