package dev.mintmark.verify;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.NanoId;
import dev.mintmark.Snowflake;
import dev.mintmark.SnowflakeLayout;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.Uuids;
import dev.mintmark.verify.Mintmark.Outcome;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** {@code mintmark mint} and the exit statuses, which need no server. */
class MintIT {
  private static Mintmark mintmark;

  @BeforeAll
  static void prepare(@TempDir Path directory) {
    mintmark = Mintmark.in(directory);
  }

  @Test
  void aThousandIdsAreDistinctAndOfNow() {
    Instant before = Instant.now().minusMillis(1);
    Outcome outcome = mintmark.run("mint", "-n", "1000");

    List<UUID> ids = outcome.outLines().stream().map(Uuids::parse).toList();
    assertThat(outcome.status()).isZero();
    assertThat(outcome.err()).isEmpty();
    assertThat(ids).hasSize(1000).doesNotHaveDuplicates().allMatch(id -> id.version() == 7);
    assertThat(ids)
        .extracting(id -> Ulid.of(id).time())
        .allSatisfy(time -> assertThat(time).isBetween(before, Instant.now()));
  }

  @Test
  void idsAreMintedOfAKindAtATimeAndInAForm() {
    Outcome times =
        mintmark.run("mint", "--kind", "ulid", "--at", "2022-03-31T15:23:55.999Z", "--to", "time");
    Outcome texts =
        mintmark.run("mint", "--at", "2022-03-31T15:23:55.999Z", "--to", "time-text", "-n", "2");

    assertThat(times.outLines()).containsExactly("2022-03-31T15:23:55.999Z");
    assertThat(texts.outLines()).containsExactly("01FZG96YPZ", "01FZG96YPZ");
  }

  @Test
  void eachKindHasItsOwnText() {
    String ulid = mintmark.run("mint", "--kind", "ulid").out().strip();
    String uuid = mintmark.run("mint", "--kind", "uuidv4").out().strip();

    assertThat(Ulid.parse(ulid).time()).isBetween(minuteAgo(), Instant.now());
    assertThat(Uuids.parse(uuid).version()).isEqualTo(4);
    assertThat(NanoId.tryParse(mintmark.run("mint", "--kind", "nanoid").out().strip())).isPresent();
  }

  @Test
  void aTypeIdHasItsPrefixAndASnowflakeItsNode() {
    SnowflakeLayout twitter = SnowflakeLayout.TWITTER;

    Outcome typeId = mintmark.run("mint", "--kind", "typeid", "--prefix", "user");
    Outcome snowflakes = mintmark.run("mint", "--kind", "snowflake", "--node", "7", "-n", "9000");

    assertThat(TypeId.parse("user", typeId.out().strip()).time().orElseThrow())
        .isBetween(minuteAgo(), Instant.now());
    assertThat(snowflakes.outLines())
        .hasSize(9000)
        .extracting(text -> Snowflake.parse(twitter, text))
        .isSorted()
        .doesNotHaveDuplicates()
        .allMatch(id -> id.node(twitter) == 7);
  }

  @Test
  void idsAreInTheOrderThatIsAskedFor() {
    Outcome ascending = mintmark.run("mint", "--order", "ascending", "-n", "10000");
    Outcome unknown = mintmark.run("mint", "--order", "upwards");

    assertThat(ascending.outLines()).hasSize(10_000).isSorted().doesNotHaveDuplicates();
    assertThat(unknown.status()).isEqualTo(2);
    assertThat(unknown.err()).contains("unknown order \"upwards\": expected one of random, ");
  }

  @Test
  void aSequenceIsLeftToTheDatabase() {
    Outcome outcome = mintmark.run("mint", "--kind", "sequence");

    assertThat(outcome.status()).isEqualTo(2);
    assertThat(outcome.errLines())
        .containsExactly(
            "mintmark: kind sequence cannot be minted here: the database counts it, when a row is"
                + " inserted");
  }

  @Test
  void aReaderThatHasEnoughEndsItWithoutAnError() {
    Outcome outcome = mintmark.shell("\"$0\" mint -n 1000000000000 | head -1");

    assertThat(outcome.status()).isZero();
    assertThat(outcome.outLines()).hasSize(1);
    assertThat(outcome.err()).isEmpty();
  }

  @Test
  void wrongUsageIsStatus2AndSaysWhatIsRight() {
    Outcome kind = mintmark.run("mint", "--kind", "uuidv9");
    Outcome command = mintmark.run("mintt");
    Outcome count = mintmark.run("mint", "-n", "0");

    assertThat(kind.status()).isEqualTo(2);
    assertThat(kind.out()).isEmpty();
    assertThat(kind.err())
        .contains("unknown kind \"uuidv9\": did you mean \"uuidv7\"? expected one of ulid, ")
        .contains("try: " + Checkout.launcher() + " mint --help");
    assertThat(command.status()).isEqualTo(2);
    assertThat(command.err()).contains("mint");
    assertThat(count.status()).isEqualTo(2);
    assertThat(count.errLines()).containsExactly("mintmark: -n is 0: expected 1 or more");
  }

  @Test
  void aQuestionWhoseAnswerIsNoIsStatus1() {
    assertThat(mintmark.run("inspect", "nonsense").status()).isEqualTo(1);
    assertThat(mintmark.run("inspect", "01FZG96YPZK4SANAG1ZM5T2K9Z").status()).isZero();
  }

  @ParameterizedTest
  @CsvSource({"pool, stats", "pack, install"})
  void aDatabaseThatIsNotThereIsStatus3InOneLine(String command, String subcommand) {
    String url = "postgresql://u:secret@127.0.0.1:1/x";

    Outcome none = mintmark.run(command, subcommand);
    Outcome unreachable = mintmark.run(command, subcommand, "--database-url", url);

    assertThat(none.status()).isEqualTo(3);
    assertThat(none.errLines()).singleElement().asString().contains("mintmark serve");
    assertThat(unreachable.status()).isEqualTo(3);
    assertThat(unreachable.errLines())
        .singleElement()
        .asString()
        .startsWith("mintmark: database jdbc:postgresql://127.0.0.1:1/x: ")
        .doesNotContain("secret");
  }

  private static Instant minuteAgo() {
    return Instant.now().minus(Duration.ofMinutes(1));
  }
}
