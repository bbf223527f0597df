package dev.mintmark.app.cli;

import dev.mintmark.Quoted;
import dev.mintmark.app.access.ApiKey;
import dev.mintmark.app.access.KeyRequest;
import dev.mintmark.app.access.Keys;
import dev.mintmark.app.access.Scope;
import dev.mintmark.app.cli.common.CommandAudit;
import dev.mintmark.app.cli.common.DatabaseOptions;
import dev.mintmark.app.cli.common.ExitStatus;
import dev.mintmark.app.database.CloseAtExit;
import dev.mintmark.app.database.Database;
import dev.mintmark.app.service.DurationKey;
import dev.mintmark.app.service.InstantText;
import dev.mintmark.app.view.CreatedKeyJson;
import dev.mintmark.app.view.Json;
import dev.mintmark.app.view.KeyJson;
import dev.mintmark.app.view.KeyListJson;
import java.io.PrintWriter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.function.ToIntFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mintmark key}: manages the API keys of a database. */
@Command(
    name = "key",
    description = {
      "Manage API keys. Once a key exists, every request to a server needs one.",
      "Servers notice a new or revoked key within 5 seconds."
    },
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND")
final class KeyCommand implements Callable<Integer> {
  /** What a command records in the audit once it has succeeded, in the same transaction. */
  private static final String DONE = "exit " + ExitStatus.DONE;

  @Spec CommandSpec spec;

  /** Prints the help if no subcommand is given. */
  @Override
  public Integer call() {
    spec.commandLine().usage(err());
    return ExitStatus.USAGE;
  }

  @Command(
      name = "create",
      description = {
        "Create a key and print its text, which is shown once and cannot be recovered.",
        "The first key must be an administrator's."
      },
      mixinStandardHelpOptions = true)
  int create(
      @Mixin KeyOptions options,
      @Mixin DatabaseOptions database,
      @Option(names = "--json", description = "Print the key as JSON.") boolean json) {
    KeyRequest request = options.toRequest();
    return withKeys(
        database,
        keys -> {
          if (!options.admin && keys.list().isEmpty()) {
            err()
                .println(
                    "mintmark: there is no key yet, and the first one must be able to manage keys:"
                        + " mintmark key create --admin");
            return ExitStatus.NO;
          }
          Keys.Created created =
              keys.create(request, Optional.empty(), CommandAudit.entry(command("create")), DONE);
          if (json) {
            Json.print(out(), CreatedKeyJson.of(created));
          } else {
            out().println(created.text().text());
            err().println("key " + describe(created.key()));
            err().println("This is the only time that the key is shown. Store it as a secret.");
          }
          return ExitStatus.DONE;
        });
  }

  @Command(
      name = "list",
      description = "List all keys without their secrets, the latest first.",
      mixinStandardHelpOptions = true)
  int list(
      @Mixin DatabaseOptions database,
      @Option(names = "--json", description = "Print the keys as JSON.") boolean json) {
    return withKeys(
        database,
        keys -> {
          List<ApiKey> all = keys.list();
          if (json) {
            Json.print(out(), KeyListJson.of(all));
          } else {
            all.forEach(key -> out().println(describe(key)));
          }
          return ExitStatus.DONE;
        });
  }

  @Command(
      name = "revoke",
      description = {
        "Revoke a key. Servers reject it within 5 seconds. It cannot be undone.",
        "Exit status 1 if there is no such key."
      },
      mixinStandardHelpOptions = true)
  int revoke(
      @Parameters(paramLabel = "ID", description = "The id of the key, as shown by key list.")
          String id,
      @Mixin DatabaseOptions database,
      @Option(names = "--json", description = "Print the key as JSON.") boolean json) {
    return withKeys(
        database,
        keys -> {
          Optional<ApiKey> revoked = keys.revoke(id, CommandAudit.entry(command("revoke")), DONE);
          if (revoked.isEmpty()) {
            err().println("mintmark: there is no key " + Quoted.of(id) + ": see mintmark key list");
            return ExitStatus.NO;
          }
          if (json) {
            Json.print(out(), KeyJson.of(revoked.get()));
          } else {
            out().println(describe(revoked.get()));
          }
          return ExitStatus.DONE;
        });
  }

  /** What a key is created with. */
  static final class KeyOptions {
    @Option(names = "--admin", description = "Permit everything.")
    boolean admin;

    @Option(
        names = "--scope",
        paramLabel = "SCOPE",
        description = {
          "What the key permits; may be repeated. pools:read, pools:admin, claim, find and mint may"
              + " name one pool or collection: claim:public-ipv4. Others: ids:read, metrics:read,"
              + " migrations:read, migrations:admin, keys:admin, audit:read."
        })
    List<String> scopes = new ArrayList<>();

    @Option(
        names = "--owner",
        paramLabel = "OWNER",
        description = "The key claims for this owner alone, and shows no claims of others.")
    @Nullable String owner;

    @Option(
        names = "--expires",
        paramLabel = "TIME",
        description =
            "When the key expires: after a length of time such as 90d, or at a time such as"
                + " 2027-06-30T00:00:00Z. Default: never")
    @Nullable String expires;

    @Option(
        names = "--name",
        paramLabel = "NAME",
        defaultValue = "unnamed",
        description = "What the key is for. Default: ${DEFAULT-VALUE}")
    String name;

    KeyRequest toRequest() {
      if (admin == !scopes.isEmpty()) {
        throw new IllegalArgumentException("expected either --admin or --scope");
      }
      return new KeyRequest(
          name,
          admin ? List.of(Scope.of(Scope.Kind.ADMIN)) : scopes.stream().map(Scope::parse).toList(),
          Optional.ofNullable(owner),
          Optional.ofNullable(expires).map(KeyOptions::expiry));
    }

    private static Instant expiry(String text) {
      Instant now = Instant.now();
      Instant end =
          text.contains("T")
              ? InstantText.parse("--expires", text)
              : now.plus(DurationKey.parse("--expires", text));
      if (!end.isAfter(now)) {
        throw new IllegalArgumentException(
            "--expires is %s: expected a time in the future".formatted(Quoted.of(text)));
      }
      return end;
    }
  }

  private int withKeys(DatabaseOptions options, ToIntFunction<Keys> work) {
    try (CloseAtExit atExit = new CloseAtExit()) {
      Database database = atExit.open(options::openToUse);
      database.createAccessTables();
      return work.applyAsInt(Keys.over(database.connection()));
    } finally {
      out().flush();
      err().flush();
    }
  }

  private CommandSpec command(String name) {
    return Objects.requireNonNull(spec.subcommands().get(name)).getCommandSpec();
  }

  private static String describe(ApiKey key) {
    StringBuilder line =
        new StringBuilder()
            .append(key.id())
            .append(' ')
            .append(Quoted.of(key.name()))
            .append(" scopes=")
            .append(key.scopes().stream().map(Scope::text).collect(Collectors.joining(",")));
    key.owner().ifPresent(owner -> line.append(" owner=").append(Quoted.of(owner)));
    line.append(" created=").append(key.createdAt());
    key.expiresAt().ifPresent(at -> line.append(" expires=").append(at));
    key.lastUsedAt().ifPresent(at -> line.append(" used=").append(at));
    key.revokedAt().ifPresent(at -> line.append(" revoked=").append(at));
    return line.toString();
  }

  private PrintWriter out() {
    return spec.commandLine().getOut();
  }

  private PrintWriter err() {
    return spec.commandLine().getErr();
  }
}
