package dev.mintmark.app.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assumptions.assumeThat;

import dev.mintmark.Ksuid;
import dev.mintmark.NanoId;
import dev.mintmark.ObjectId;
import dev.mintmark.Snowflake;
import dev.mintmark.SnowflakeLayout;
import dev.mintmark.Tsid;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import dev.mintmark.Xid;
import dev.mintmark.app.service.MintedKind;
import dev.mintmark.app.view.Json;
import dev.mintmark.catalog.CatalogSchema;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import tools.jackson.databind.JsonNode;

/** The commands that need no database; those that do are run as processes in the verify module. */
class CommandLineTest {
  private static final String ULID = "01FZG96YPZK4SANAG1ZM5T2K9Z";

  /** The commands without --json, each with the reason. */
  private static final Map<String, String> WITHOUT_JSON =
      Map.ofEntries(
          Map.entry("serve", "answers HTTP, and prints a name and an address a line"),
          Map.entry("convert", "prints a line for a line, or CSV"),
          Map.entry("catalog schema", "prints JSON"),
          Map.entry("catalog openapi", "prints JSON"),
          Map.entry("catalog jooq", "prints XML"),
          Map.entry("catalog javascript", "prints JavaScript"),
          Map.entry("catalog references", "prints SQL"),
          Map.entry("pack print", "prints SQL"),
          Map.entry("pool schema", "prints SQL"),
          Map.entry("pool export", "prints CSV, or JSON with --format"),
          Map.entry("udf", "prints SQL"),
          Map.entry("init", "writes YAML"),
          Map.entry("tour", "shows other commands to people"),
          Map.entry("help", "prints text for people"),
          Map.entry("man", "prints a manual page"),
          Map.entry("completion", "prints a script"));

  @TempDir Path directory;

  private record Outcome(int status, String out, String err) {
    List<String> lines() {
      return out.lines().toList();
    }
  }

  @Test
  void mintsAUuidV7UnlessToldOtherwise() {
    assertThat(Uuids.parse(run("mint").out.strip()).version()).isEqualTo(7);
    assertThat(Uuids.parse(run("mint", "--kind", "uuidv4").out.strip()).version()).isEqualTo(4);
    assertThat(Ulid.tryParse(run("mint", "--kind", "ulid").out.strip())).isPresent();
  }

  @Test
  void helpListsTheKindsThatAreMinted() {
    String minted =
        MintedKind.all().stream().map(MintedKind::label).collect(Collectors.joining(", "));

    assertThat(minted).contains("ulid, uuidv7, uuidv4").endsWith("uuidv8, uuidv7-draft");
    assertThat(run("mint", "--help").out.replaceAll("\\s+", " "))
        .contains(minted + ". Default: uuidv7");
  }

  @Test
  void mintsAsManyAsAreAskedForEachItsOwn() {
    Outcome outcome = run("mint", "-n", "5000", "--kind", "ulid");

    assertThat(outcome.status).isZero();
    assertThat(outcome.lines()).hasSize(5000).doesNotHaveDuplicates();
  }

  @Test
  void mintsAsJson() throws IOException {
    JsonNode ofKind = Json.MAPPER.readTree(run("mint", "--json", "-n", "3").out);
    JsonNode ofCollection =
        Json.MAPPER.readTree(
            run("mint", "--json", "--collection", "tracks", "--catalog", catalog()).out);

    assertThat(ofKind.get("kind").asString()).isEqualTo("uuidv7");
    assertThat(ofKind.get("collection").isNull()).isTrue();
    assertThat(ofKind.get("ids")).hasSize(3);
    assertThat(ofCollection.get("collection").asString()).isEqualTo("tracks");
    assertThat(run("mint", "--json", "-n", "100001").err)
        .isEqualToIgnoringNewLines("mintmark: -n is 100001: --json prints at most 100000 at once");
  }

  @Test
  void initWritesACatalogThatCanBeRead() throws IOException {
    Path file = Files.createDirectory(directory.resolve("Web-shop")).resolve("mintmark.yaml");
    String[] init = {"init", "--yes", "--file", file.toString()};

    Outcome printed = run(with(init, "--stdout"));
    Outcome written = run(init);
    Outcome again = run(init);

    assertThat(written.status).as(written.err).isZero();
    assertThat(file).hasContent(printed.out);
    assertThat(printed.out).contains("\nnamespace: webshop\n", "\n# ");
    assertThat(run("catalog", "check", file.toString()).status).isZero();
    assertThat(again.status).isEqualTo(2);
    assertThat(again.err)
        .isEqualToIgnoringNewLines(
            "mintmark: "
                + file
                + " exists: --force replaces it, --stdout prints the catalog instead");
    Files.writeString(file, "mine");
    assertThat(run(with(init, "--force")).status).isZero();
    assertThat(file).hasContent(printed.out);
  }

  /** As man reads it: every line that begins with a dot is a request. */
  @Test
  @Tag("slow")
  void everyCommandHasAManualPage() {
    List<CommandLine.Model.CommandSpec> commands =
        commands(MintmarkCommand.commandLine().getCommandSpec()).toList();
    assertThat(commands).hasSizeGreaterThan(60);
    for (CommandLine.Model.CommandSpec command : commands) {
      String page = ManPage.of(command);
      assertThat(page)
          .as(command.qualifiedName())
          .startsWith(".TH \"" + ManPage.name(command).replace("-", "\\-").toUpperCase(Locale.ROOT))
          .contains(".SH \"NAME\"\n", ".SH \"OPTIONS\"\n", "\\-\\-help\n")
          .doesNotContain("${", "@|");
      assertThat(page.lines().filter(line -> line.startsWith(".")))
          .allMatch(line -> line.matches("\\.(TH|SH|B) .*|\\.(TP|PP|nf|fi)"));
    }
    assertThat(run("man", "pool", "claim").out)
        .contains("mintmark\\-pool\\-claim \\- Claim a value")
        .contains(".B \\-\\-client=CLIENT\n");
    assertThat(run("man", "pool", "clam").err).contains("did you mean \"claim\"?");
  }

  @Test
  void mintsForATimeAndInAForm() {
    String[] command = {"mint", "--kind", "ulid", "--at", "2022-03-31T15:23:55.999Z", "--to"};

    assertThat(run(with(command, "time")).out.strip()).isEqualTo("2022-03-31T15:23:55.999Z");
    assertThat(run(with(command, "time-text")).out.strip()).isEqualTo("01FZG96YPZ");
    assertThat(UUID.fromString(run(with(command, "uuid")).out.strip()).toString())
        .startsWith("017fe093-7adf-");
  }

  @Test
  void mintsEachKindInItsOwnText() {
    SnowflakeLayout twitter = SnowflakeLayout.TWITTER;

    String typeId = run("mint", "--kind", "typeid", "--prefix", "user").out.strip();
    String snowflake = run("mint", "--kind", "snowflake", "--node", "7").out.strip();

    assertThat(NanoId.tryParse(run("mint", "--kind", "nanoid").out.strip())).isPresent();
    assertThat(Tsid.tryParse(run("mint", "--kind", "tsid", "--node", "7").out.strip())).isPresent();
    assertThat(Ksuid.tryParse(run("mint", "--kind", "ksuid").out.strip())).isPresent();
    assertThat(run("mint", "--kind", "objectid", "-n", "9").lines())
        .extracting(ObjectId::parse)
        .isSorted();
    assertThat(Xid.tryParse(run("mint", "--kind", "xid").out.strip())).isPresent();
    assertThat(TypeId.parse("user", typeId).uuid().version()).isEqualTo(7);
    assertThat(Snowflake.parse(twitter, snowflake).node(twitter)).isEqualTo(7);
    assertThat(run("mint", "--kind", "typeid", "--prefix", "", "--to", "uuid").lines())
        .allMatch(id -> Uuids.tryParse(id).isPresent());
  }

  @Test
  void mintsInTheOrderThatIsAskedFor() {
    String[] command = {"mint", "--kind", "ulid", "-n", "2000", "--order"};

    assertThat(run(with(command, "ascending")).lines()).hasSize(2000).isSorted();
    assertThat(run(with(command, "per-thread")).lines()).hasSize(2000).isSorted();
    assertThat(run(with(command, "spec")).lines()).hasSize(2000).isSorted();
    assertThat(run("mint", "-n", "2000").lines()).hasSize(2000).isSorted();
    assertThat(run("mint", "--kind", "snowflake", "--node", "1", "-n", "9000").lines())
        .extracting(Snowflake::parse)
        .isSorted()
        .doesNotHaveDuplicates();
  }

  @Test
  void endsWhereATimeHasNoMoreSnowflakes() {
    Outcome outcome =
        run(
            "mint",
            "--kind",
            "snowflake",
            "--node",
            "1",
            "--at",
            "2024-05-01T12:00:00Z",
            "-n",
            "5000");

    assertThat(outcome.status).isEqualTo(1);
    assertThat(outcome.lines()).hasSize(4096);
    assertThat(outcome.err).startsWith("mintmark: the clock is 1 ms behind the next identifier");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "--kind sequence | kind sequence cannot be minted here: the database counts it, when a row"
            + " is inserted",
        "--kind text | kind text cannot be minted: another system makes it",
        "--kind snowflake | kind snowflake needs a node: 0 to 1023, a number that no other process"
            + " has",
        "--kind snowflake --node 1024 | node 1024: expected 0 to 1023",
        "--kind typeid | kind typeid needs a prefix: the name of its type, or an empty one",
        "--kind nanoid --to uuid | kind nanoid has no form \"uuid\": it does not have 128 bits",
        "--kind nanoid --to puri | a pURI needs a collection: name one",
        "--kind uuidv4 --order spec | kind uuidv4 has no order: that is of ulid, uuidv7 and typeid",
        "--kind ulid --node 1 | kind ulid has no node: that is of snowflake and tsid",
        "--kind ulid --prefix a | kind ulid is minted without a prefix: that is of typeid",
      })
  void saysWhatAKindNeedsOrHasNot(String options, String message) {
    Outcome outcome = run(with(new String[] {"mint"}, options.split(" ")));

    assertThat(outcome.status).isEqualTo(2);
    assertThat(outcome.out).isEmpty();
    assertThat(outcome.err).isEqualToIgnoringNewLines("mintmark: " + message);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "mint --kind ulld            | unknown kind \"ulld\": did you mean \"ulid\"? expected one of ulid,",
        "mint --kind ULIT            | unknown kind \"ULIT\": did you mean \"ulid\"? expected one of ulid,",
        "mint --kind isbn            | unknown kind \"isbn\": expected one of ulid, uuidv7, uuidv4, nanoid,",
        "mint --order acsending      | unknown order \"acsending\": did you mean \"ascending\"? expected",
        "convert --to uuuid 1        | unknown form \"uuuid\": did you mean \"uuid\"? expected one of",
        "mnit                        | Did you mean: mintmark mint?",
        "pool stat                   | Did you mean: mintmark pool stats?",
        "mint --kinde ulid           | Did you mean: --kind?",
        "version                     | Did you mean: mintmark --version?",
        "claim                       | Did you mean: mintmark pool claim?",
        "pool create claim --ordr 1  | Did you mean: --order?",
        "doctor --min-severity critcl| Did you mean: critical?",
        "doctor --qiet               | Did you mean: --quiet?",
        "udf duckdbb                 | did you mean \"duckdb\"?",
      })
  void suggestsWhatWasProbablyMeant(String command, String suggestion) {
    Outcome outcome = run(command.split(" "));

    assertThat(outcome.status).isEqualTo(2);
    assertThat(outcome.err).contains(suggestion);
  }

  @Test
  void suggestsNothingThatIsNotNear() {
    assertThat(run("payments").err).doesNotContain("Did you mean");
    assertThat(run("mint", "ulid").err).doesNotContain("Did you mean");
    assertThat(run("mint", "--kind", "isbn").err).doesNotContain("sequence", "text,");
  }

  @Test
  void suggestsACatalogWithASimilarName() throws IOException {
    Path other = Files.writeString(directory.resolve("mintmark.yml"), "namespace: a\n");
    String missing = directory.resolve("mintmark.yaml").toString();

    for (String[] command :
        List.of(
            new String[] {"catalog", "check", missing},
            new String[] {"catalog", "openapi", missing},
            new String[] {"mint", "--collection", "a", "--catalog", missing})) {
      assertThat(run(command).err).contains(": no such file; did you mean " + other + "?");
    }
    assertThat(run("inspect", "a.b.c", "--catalog", missing).err)
        .startsWith(other + " is not read: rename it to " + missing);
  }

  @Test
  void aCatalogThatMayNotBeReadIsAFailureOfAFile() throws IOException {
    String file = catalog();
    Files.setPosixFilePermissions(Path.of(file), Set.of());
    assumeThat(Files.isReadable(Path.of(file))).as("root reads every file").isFalse();

    assertThat(run("mint", "--collection", "tracks", "--catalog", file))
        .isEqualTo(new Outcome(3, "", "mintmark: " + file + ": permission denied\n"));
  }

  @Test
  void theFileOfTheCatalogIsPrintedIfThatIsAskedFor() throws IOException {
    String[] mint = {"mint", "--collection", "tracks", "--catalog", catalog()};

    assertThat(run(mint).err).isEmpty();
    assertThat(run(with(mint, "-v")).err).isEqualTo("catalog %s%n".formatted(catalog()));
    assertThat(run(with(new String[] {"--verbose"}, mint)).err)
        .isEqualTo("catalog %s%n".formatted(catalog()));
  }

  @Test
  void quietCommandsPrintErrorsAlone() {
    String[] notice = {"ipv6", "--prefix", "2001:db8::/64", "--embed", "hash", "vm-1"};

    assertThat(run(notice).err).contains("keep a unique index");
    assertThat(run(with(notice, "-q")).err).isEmpty();
    assertThat(run(with(new String[] {"-q"}, notice)).out).isEqualTo(run(notice).out);
    assertThat(run("-q", "inspect", "nonsense").err).startsWith("mintmark: malformed");
    assertThat(run(with(notice, "-q", "-v")).err).contains("keep a unique index");
  }

  @Test
  void aFailureOfTheDatabaseIsExplainedIfThatIsAskedFor() {
    String[] list = {"pool", "list", "--database-url", "postgresql://a@127.0.0.1:1/none"};

    assertThat(run(list).err).hasLineCount(1);
    assertThat(run(with(list, "-v")).err)
        .contains("  caused by: SQLSTATE 08001, org.postgresql.util.PSQLException: ")
        .contains("  caused by: java.net.ConnectException: ");
  }

  @Test
  void everyCommandIsQuietOrVerboseAndTheHelpSaysSoOnce() {
    for (CommandLine.Model.CommandSpec command :
        commands(MintmarkCommand.commandLine().getCommandSpec()).toList()) {
      assertThat(command.optionsMap())
          .as(command.qualifiedName())
          .containsKeys("-q", "--quiet", "-v", "--verbose");
      assertThat(command.commandLine().getUsageMessage().contains("--quiet"))
          .as(command.qualifiedName())
          .isEqualTo(command.parent() == null);
    }
  }

  @Test
  void everyCommandPrintsJsonOrHasAReasonNotTo() {
    List<String> without =
        commands(MintmarkCommand.commandLine().getCommandSpec())
            .filter(command -> command.subcommands().isEmpty())
            .filter(command -> !command.optionsMap().containsKey("--json"))
            .map(command -> command.qualifiedName().replaceFirst("^mintmark ", ""))
            .toList();

    assertThat(without).containsExactlyInAnyOrderElementsOf(WITHOUT_JSON.keySet());
  }

  @Test
  void theVersionNeedsNoCommand() {
    assertThat(MintmarkCommand.commandLine("--version").getSubcommands()).isEmpty();
    assertThat(run("--version").out).startsWith("mintmark ");
    assertThat(run("pool", "claim", "--version").out).startsWith("mintmark ");
  }

  @Test
  void printsTheTablesOfPoolsAsAScript() {
    assertThat(run("pool", "schema").out)
        .startsWith("begin;\ncreate schema if not exists mintmark;\n")
        .contains("\ncreate table mintmark.pool (")
        .endsWith("\ncommit;\n");
  }

  @Test
  void mintsWhatACollectionDeclares() throws IOException {
    String catalog = catalog();

    Outcome text = run("mint", "--collection", "tracks", "--catalog", catalog);
    Outcome puri = run("mint", "--collection", "tracks", "--catalog", catalog, "--to", "puri");

    assertThat(Ulid.tryParse(text.out.strip())).isPresent();
    assertThat(puri.out.strip()).startsWith("soundcloud:tracks:01");
    assertThat(run("mint", "--collection", "steaks", "--catalog", catalog).err)
        .isEqualToIgnoringNewLines("mintmark: the catalog has no collection \"steaks\"");
  }

  @Test
  void mintsATypeIdOfThePrefixThatItsCollectionDeclares() throws IOException {
    String[] command = {"mint", "--collection", "users", "--catalog", catalog()};

    assertThat(TypeId.parse("user", run(command).out.strip()).uuid().version()).isEqualTo(7);
    assertThat(run(with(command, "--to", "puri")).out).startsWith("soundcloud:users:user_0");
    assertThat(run(with(command, "--prefix", "person")).err)
        .isEqualToIgnoringNewLines("mintmark: the prefix is declared by collection \"users\"");
  }

  @Test
  void inspectsForPeopleAndForMachines() {
    Outcome people = run("inspect", ULID);
    JsonNode machines = Json.MAPPER.readTree(run("inspect", "--json", ULID, "nonsense").out);

    assertThat(people.out).startsWith("ulid  2022-03-31T15:23:55.999Z");
    assertThat(people.lines())
        .anyMatch(line -> line.matches("  timestamp +bits +0-47 +chars +0-9 +1648740235999 .*"));
    assertThat(people.out).contains("  reason: only this kind is written as 26 digits");
    assertThat(machines).hasSize(2);
    assertThat(machines.get(0).get("readings").get(0).get("kind").asString()).isEqualTo("ulid");
  }

  @Test
  void saysNoToWhatIsNoIdentifier() {
    Outcome outcome = run("inspect", "nonsense");

    assertThat(outcome.status).isEqualTo(1);
    assertThat(outcome.err)
        .isEqualToIgnoringNewLines(
            "mintmark: malformed identifier \"nonsense\": not a ULID, a UUID or any other form of 128"
                + " bits (8 characters)");
  }

  @Test
  void convertsArgumentsAndLinesInOrder() {
    assertThat(run("convert", "--to", "uuid", ULID, ULID.toLowerCase(Locale.ROOT)).out)
        .isEqualToIgnoringNewLines(
            "017fe093-7adf-9932-aaaa-01fd0ba14d3f017fe093-7adf-9932-aaaa-01fd0ba14d3f");
    assertThat(
            runWith("1993204641137431665444657879740140863\n", "convert", "--to", "text").lines())
        .containsExactly(ULID);
    assertThat(
            runWith("12345678901234567890123456\n", "convert", "--from", "int", "--to", "int").out)
        .isEqualToIgnoringNewLines("12345678901234567890123456");
  }

  @Test
  void aBadLineIsToldAndLeavesAnEmptyOne() {
    Outcome outcome = runWith(ULID + "\nbad\n" + ULID + "\n", "convert", "--to", "text");

    assertThat(outcome.status).isEqualTo(1);
    assertThat(outcome.lines()).containsExactly(ULID, "", ULID);
    assertThat(outcome.err).startsWith("line 2: malformed identifier \"bad\"");
  }

  @Test
  void stopsAtABadLineWhenToldTo() {
    Outcome outcome = runWith("bad\n" + ULID + "\n", "convert", "--stop-on-error", "--to", "text");

    assertThat(outcome.status).isEqualTo(1);
    assertThat(outcome.out).isEmpty();
  }

  @Test
  void convertsToPurisOfACollection() throws IOException {
    Outcome outcome =
        run("convert", "--to", "puri", "--collection", "tracks", "--catalog", catalog(), ULID);

    assertThat(outcome.out).isEqualToIgnoringNewLines("soundcloud:tracks:" + ULID);
    assertThat(run("convert", "--to", "puri", ULID).status).isEqualTo(2);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mint -n 0",
        "mint --kind uuidv9",
        "mint --kind sequence",
        "mint --to bogus",
        "mint --at yesterday",
        "mint --at 1969-12-31T23:59:59Z",
        "mint --kind ulid --collection tracks",
        "convert ID",
        "convert --from time --to text ID",
        "pool",
        "pool claim",
        "pool create a --block 10.0.0.1/8",
        "pool create a",
        "pool create a --block 1..9 --per-client 0",
        "pool create a --block 1..9 --order up",
        "pool create a --block 1..9 --embed ipv4",
        "pool create a --block 1..9 --ipv6 2001:db8::/96 --embed ipv4",
        "pool create a --list nowhere.txt",
        "pool add a",
        "pool add a --block 1..9 --exclude 10",
        "pool drain a",
        "pool exclude a",
        "pool exclude a 1..x",
        "pool include a",
        "pool remove a",
        "pool claim a --client b --value 1 --slot 1",
        "pool claim a --client b --count 0",
        "pool claim a --client b --lease soon",
        "pool list a --ipv6 ::1 --client b",
        "pool history a --at yesterday",
        "pool quarantine a --for 1d",
        "pool quarantine a 1 --all --for 1d",
        "pool quarantine a --all",
        "pool history a --prune-before 2026-01-01T00:00:00Z --client b",
        "pool history a --prune-before 2026-01-01T00:00:00Z --limit 1000",
        "pool list --client a",
        "pool list --client-prefix a",
        "pool list a --label rack",
        "pool list a --label rack:b7 --label-prefix rack:b",
        "pool label a 10.0.0.1 --label rack:b7",
        "pool import a",
        "pool import a b.csv --format xml",
        "pool export a --format xml",
        "pool release a",
        "pool release a 10.0.0.1",
        "pool release a 10.0.0.1 --token 1 --client b",
        "pool release a --client b --token 1",
        "pool renew a",
        "pool renew a 10.0.0.1",
        "pool label a 10.0.0.1 --token 1 --label rack",
        "pool label a 10.0.0.1 --token 1 --label rack:b7 --label rack:b8",
        "pool claim a --client b --dns-name a..b",
        "pool list a --client b --client-prefix b",
        "pool history a --owner b --owner-prefix b",
        "pool list --limit 5",
        "pool list --excluded",
        "pool list a --ipv6 ::1 --excluded",
        "pool verify --only nonsense",
        "pack",
        "pack print --schema pg_mine",
        "pack print --data .",
        "pack print --compat a:varchar",
        "pack print --compat generate_ulid()'",
        "pack bench --rows 10",
        "pack bench --rounds 0",
        "pack install --schema 0123456789012345678901234567890123456789012345678901234567890123",
        "udf",
        "udf oracle",
        "udf bigquery duckdb",
        "udf bigquery --catalog nowhere.yaml",
        "udf bigquery --schema a.b.c",
        "udf snowflake --tables .",
        "storm --clients 0",
        "storm --instances 201",
        "serve --port 70000",
        "nonsense",
      })
  void wrongUsageIsOneLineAndStatusTwo(String command) {
    Outcome outcome = run(command.split(" "));

    assertThat(outcome.status).isEqualTo(2);
    assertThat(outcome.out).isEmpty();
    assertThat(outcome.err).isNotBlank().doesNotContain("Exception", "\tat ");
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "mint",
        "inspect",
        "convert",
        "serve",
        "storm",
        "pool",
        "pool create",
        "pool add",
        "pool drain",
        "pool exclude",
        "pool include",
        "pool remove",
        "pool delete",
        "pool claim",
        "pool renew",
        "pool release",
        "pool label",
        "pool import",
        "pool export",
        "pool list",
        "pool stats",
        "pool watch",
        "pool history",
        "pool quarantine",
        "catalog",
        "catalog schema",
        "catalog check",
        "catalog jooq",
        "catalog openapi",
        "catalog javascript",
        "catalog references",
        "pack",
        "pack install",
        "pack verify",
        "pack print",
        "pack uninstall",
        "pack bench",
        "udf"
      })
  void everyCommandExplainsItself(String command) {
    Outcome outcome = run((command + " --help").split(" "));

    assertThat(outcome.status).isZero();
    assertThat(outcome.out).startsWith("Usage: mintmark " + command);
  }

  /** Picocli reads them as formats, and complains on stderr of each that is none. */
  @Test
  void textsOfTheHelpAreFormats() {
    commands(MintmarkCommand.commandLine().getCommandSpec())
        .flatMap(
            command ->
                Stream.concat(
                    Stream.of(
                        command.usageMessage().description(), command.usageMessage().footer()),
                    command.options().stream().map(CommandLine.Model.OptionSpec::description)))
        .flatMap(Arrays::stream)
        .forEach(
            line -> assertThatCode(() -> line.formatted()).as(line).doesNotThrowAnyException());
  }

  /** A list of commands shows only the first text of the description of each. */
  @Test
  void theFirstSentenceOfEveryCommandEnds() {
    commands(MintmarkCommand.commandLine().getCommandSpec())
        .forEach(
            command -> {
              String[] description = command.usageMessage().description();
              assertThat(description).as(command.qualifiedName()).isNotEmpty();
              assertThat(description[0].strip()).as(command.qualifiedName()).endsWith(".");
              Stream.concat(
                      Arrays.stream(description),
                      command.options().stream().flatMap(o -> Arrays.stream(o.description())))
                  .forEach(
                      text ->
                          assertThat(text)
                              .as("%s: the terminal breaks lines", command.qualifiedName())
                              .doesNotContain("\n", "%n"));
            });
  }

  private static Stream<CommandLine.Model.CommandSpec> commands(
      CommandLine.Model.CommandSpec command) {
    return Stream.concat(
        Stream.of(command),
        command.subcommands().values().stream().flatMap(sub -> commands(sub.getCommandSpec())));
  }

  /** Java reads what is not in the encoding of the locale as U+FFFD: all such names are equal. */
  @Test
  void argumentsThatCouldNotBeDecodedAreRefused() {
    Outcome outcome =
        run("mint", "--kind", "uuidv5", "--namespace", "dns", "--name", "M\ufffdller");

    assertThat(outcome.status).isEqualTo(2);
    assertThat(outcome.out).isEmpty();
    assertThat(outcome.err)
        .startsWith(
            "mintmark: argument 7, \"M\ufffdller\", has U+FFFD: it is not UTF-8, or LC_ALL is"
                + " not a locale of UTF-8");
  }

  @Test
  void withoutACommandItListsWhatThereIs() {
    Outcome outcome = run();

    assertThat(outcome.status).isEqualTo(2);
    assertThat(outcome.err).contains("serve", "mint", "inspect", "convert", "pool", "storm");
  }

  @Test
  void printsThePackForAnySchema() {
    Outcome ours = run("pack", "print");
    Outcome theirs = run("pack", "print", "--schema", "ids");

    assertThat(ours.status).isZero();
    assertThat(ours.err).isEmpty();
    assertThat(ours.out).contains("create or replace function mintmark.ulid_monotonic() ");
    assertThat(theirs.out)
        .contains("create or replace function \"ids\".ulid_monotonic() ")
        .doesNotContain("mintmark.ulid");
    assertThat(run("pack", "print", "--schema", "pg_mine").err)
        .isEqualToIgnoringNewLines(
            "mintmark: schema \"pg_mine\": PostgreSQL reserves names that begin with pg_");
  }

  @Test
  void printsTheSchemaOfTheCatalog() {
    Outcome outcome = run("catalog", "schema");

    assertThat(outcome.status).isZero();
    assertThat(outcome.out).isEqualTo(CatalogSchema.text());
    assertThat(run("catalog", "schema", "--help").out)
        .contains("# yaml-language-server: $schema=mintmark.schema.json");
  }

  @Test
  void saysWhatACatalogDeclares() throws IOException {
    Path file = Path.of(catalog());

    Outcome outcome = run("catalog", "check", file.toString());

    assertThat(outcome.status).isZero();
    assertThat(outcome.lines())
        .containsExactly(
            file
                + ": namespace soundcloud: 2 collections, 0 namespaces of others, 0 pools, 0 formats");
    assertThat(outcome.err).isEmpty();
  }

  @Test
  void printsTheForcedTypesOfTheCatalog() throws IOException {
    Path file = directory.resolve("shop.yaml");
    Files.writeString(
        file,
        "namespace: shop\ncollections: {payments: {kind: sequence, prefix: PM, table: payments}}\n");

    Outcome outcome =
        run(
            "catalog",
            "jooq",
            file.toString(),
            "--class",
            "payments=com.acme.PaymentId",
            "--reference",
            "orders.payment_id=payments");
    Outcome unknown = run("catalog", "jooq", file.toString(), "--class", "polls=a.B");

    assertThat(outcome.status).isZero();
    assertThat(outcome.out)
        .contains("<userType>com.acme.PaymentId</userType>")
        .contains("(.*\\.)?payments\\.id|(.*\\.)?orders\\.payment_id");
    assertThat(unknown.status).isEqualTo(2);
    assertThat(unknown.err).contains("no collection \"polls\" in the catalog");
  }

  @Test
  void catalogPrintsItsComponentsAndItsScript() throws IOException {
    Path file = directory.resolve("mintmark.yaml");
    Files.writeString(
        file, "namespace: shop\ncode: s\ncollections:\n  orders: { kind: ulid, code: o }\n");

    Outcome outcome = run("catalog", "openapi", file.toString());
    Outcome script = run("catalog", "javascript", file.toString());
    Outcome missing = run("catalog", "openapi", directory.resolve("none.yaml").toString());

    assertThat(outcome.status).isZero();
    assertThat(Json.MAPPER.readTree(outcome.out).at("/components/schemas").propertyNames())
        .containsExactly("Puri", "OrdersPuri");
    assertThat(script.out).contains("'s.o': ['shop:orders', 'ulid', '', '']");
    assertThat(missing.status).isEqualTo(2);
  }

  @Test
  void catalogPrintsTheSqlOfReferences() throws IOException {
    Path file = directory.resolve("mintmark.yaml");
    Files.writeString(
        file, "namespace: shop\ncode: s\ncollections:\n  orders: { kind: ulid, code: o }\n");

    Outcome script = run("catalog", "references", file.toString(), "--column", "shop.notes.about");
    Outcome malformed = run("catalog", "references", file.toString(), "--column", "notes");

    assertThat(script.status).isZero();
    assertThat(script.out)
        .contains("('s.o', 'shop', 'orders', array['shop:orders'], 'ulid', '', 0),")
        .contains("alter table \"shop\".\"notes\"")
        .contains("add column if not exists \"about_type\" smallint");
    assertThat(malformed.status).isEqualTo(2);
    assertThat(malformed.err).contains("malformed reference \"notes\": expected TABLE.COLUMN");
  }

  @Test
  void saysWhatIsWrongWithACatalogAndWhere() throws IOException {
    Path file = directory.resolve("wrong.yaml");
    Files.writeString(file, "namespace: a\npolls: {}\n");

    Outcome outcome = run("catalog", "check", file.toString());
    Outcome json = run("catalog", "check", file.toString(), "--json");

    assertThat(outcome.status).isEqualTo(1);
    assertThat(outcome.err)
        .startsWith("mintmark: " + file + ":2: unknown key \"polls\" in the catalog: did you mean");
    assertThat(json.status).isEqualTo(1);
    JsonNode checked = Json.MAPPER.readTree(json.out);
    assertThat(checked.path("valid").asBoolean()).isFalse();
    assertThat(checked.path("line").asInt()).isEqualTo(2);
    assertThat("mintmark: " + checked.path("message").asString()).isEqualTo(outcome.err.strip());
  }

  @Test
  void udfPrintsFunctionsAloneWithoutACatalog() {
    Outcome outcome = run("udf", "duckdb");

    assertThat(outcome.status).isZero();
    assertThat(outcome.out)
        .startsWith("-- Identifiers for analysts")
        .contains("create schema if not exists \"mintmark\";")
        .doesNotContain("create or replace view");
    assertThat(outcome.err)
        .isEqualToIgnoringNewLines(
            "no mintmark.yaml in this directory: printing functions without views");
  }

  @Test
  void udfPrintsAViewOfEveryCollectionWithATable() throws IOException {
    Path file = directory.resolve("warehouse.yaml");
    Files.writeString(
        file,
        """
        namespace: soundcloud
        collections:
          tracks: { kind: ulid, table: tracks }
          users:  { kind: typeid, prefix: user }
        """);
    String catalog = file.toString();

    Outcome outcome = run("udf", "bigquery", "--catalog", catalog, "--schema", "my-project.ids");
    Outcome moved = run("udf", "snowflake", "--catalog", catalog, "--tables", "raw");

    assertThat(outcome.status).isZero();
    assertThat(outcome.err).isEmpty();
    assertThat(outcome.out)
        .contains(
            "create or replace function `my-project`.`ids`.ulid_text(id string)",
            "create or replace view `my-project`.`ids`.`tracks` as",
            "from `my-project`.`public`.`tracks` as t;")
        .doesNotContain("users");
    assertThat(moved.out).contains("from \"RAW\".\"TRACKS\" as t;");
  }

  @Test
  void udfSaysWhereACatalogIsWrong() throws IOException {
    Path file = directory.resolve("wrong.yaml");
    Files.writeString(file, "namespace: a\npolls: {}\n");

    Outcome outcome = run("udf", "bigquery", "--catalog", file.toString());

    assertThat(outcome.status).isEqualTo(2);
    assertThat(outcome.out).isEmpty();
    assertThat(outcome.err).startsWith("mintmark: " + file + ":2: ");
  }

  @Test
  void helpListsWhatACommandFindsOutWhenItIsAsked() {
    assertThat(run("doctor", "--help").out).contains("  sequence-behind: ");
  }

  @Test
  void aCommandIsKnownAloneAndAllWhereNoneIsNamed() {
    Set<String> all = MintmarkCommand.commandLine().getSubcommands().keySet();

    Set<String> aboutOthers = Set.of("help", "man", "completion");
    assertThat(all).contains("mint", "convert", "storm").containsAll(aboutOthers);
    assertThat(aboutOthers)
        .allSatisfy(
            name ->
                assertThat(MintmarkCommand.commandLine(name, "mint").getSubcommands().keySet())
                    .isEqualTo(all));
    assertThat(all)
        .filteredOn(name -> !aboutOthers.contains(name))
        .allSatisfy(
            name ->
                assertThat(MintmarkCommand.commandLine(name, "--help").getSubcommands())
                    .containsOnlyKeys(name));
    assertThat(MintmarkCommand.commandLine("-q", "-v", "mint").getSubcommands())
        .containsOnlyKeys("mint");
    assertThat(MintmarkCommand.commandLine("--help", "mint").getSubcommands().keySet())
        .isEqualTo(all);
    assertThat(MintmarkCommand.commandLine("mnt").getSubcommands().keySet()).isEqualTo(all);
  }

  @Test
  void warnsOfNamesThatWillNotAgeWell() throws IOException {
    Path file = directory.resolve("named.yaml");
    Files.writeString(
        file, "namespace: a\ncollections: { mybillingsystem-bills: { kind: ulid } }\n");

    Outcome outcome = run("catalog", "check", file.toString());
    JsonNode checked = Json.MAPPER.readTree(run("catalog", "check", "--json", file.toString()).out);

    assertThat(outcome.status).isZero();
    assertThat(outcome.err)
        .startsWith("warning: " + file + ": collection \"mybillingsystem-bills\": ");
    assertThat(checked.path("valid").asBoolean()).isTrue();
    assertThat(checked.path("line").isNull()).isTrue();
    assertThat(checked.path("collections").asInt()).isEqualTo(1);
    assertThat(checked.path("findings").path(0).path("name").asString())
        .isEqualTo("mybillingsystem-bills");
  }

  private String catalog() throws IOException {
    Path file = directory.resolve("mintmark.yaml");
    Files.writeString(
        file,
        """
        namespace: soundcloud
        collections:
          tracks: { kind: ulid }
          users:  { kind: typeid, prefix: user }
        """);
    return file.toString();
  }

  private static String[] with(String[] command, String... arguments) {
    return Stream.of(command, arguments).flatMap(Arrays::stream).toArray(String[]::new);
  }

  private static Outcome run(String... command) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    ByteArrayOutputStream bytesOut = new ByteArrayOutputStream();
    CommandLine commandLine = MintmarkCommand.commandLine(bytesOut, command);
    commandLine.setOut(new PrintWriter(out));
    commandLine.setErr(new PrintWriter(err));
    int status = commandLine.execute(command);
    return new Outcome(status, out + bytesOut.toString(StandardCharsets.UTF_8), err.toString());
  }

  private static Outcome runWith(String input, String... command) {
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(input.getBytes(StandardCharsets.UTF_8)));
    try {
      return run(command);
    } finally {
      System.setIn(before);
    }
  }
}
