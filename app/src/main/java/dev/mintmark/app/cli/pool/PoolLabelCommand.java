package dev.mintmark.app.cli.pool;

import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.cli.pool.PoolCommand.HeldValue;
import dev.mintmark.app.view.ClaimNoteJson;
import dev.mintmark.app.view.Json;
import dev.mintmark.postgres.pool.ClaimNote;
import dev.mintmark.postgres.pool.NoteResult;
import dev.mintmark.postgres.pool.Superseded;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mintmark pool label}. */
@Command(
    name = "label",
    description = {
      "Replace the labels, the DNS name and the description of a claim.",
      "What is not given is deleted. The next claim of the value has none of them."
    })
final class PoolLabelCommand extends PoolSubcommand {
  @Mixin HeldValue held;

  @Mixin NoteOptions written;

  @Option(names = "--json", description = "Print what is written as JSON.")
  boolean json;

  @Override
  Work work() {
    ClaimNote note = written.note();
    return pools -> {
      NoteResult result = pools.open(held.pool).notes().set(held.value, held.token, note);
      if (!(result instanceof NoteResult.Noted noted)) {
        return refuse(held.refusal(result instanceof Superseded));
      }
      ClaimNoteJson shown = ClaimNoteJson.of(noted.note());
      if (json) {
        Json.print(out(), shown);
      } else {
        out().println(held.value + PoolTexts.describe(shown));
      }
      return ExitStatus.DONE;
    };
  }
}
