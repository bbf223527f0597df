package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.JsonNode;

/**
 * Examples of each format that {@code inspect} recognizes, and words that are none. {@code
 * vectors/formats.json} has one of each format, and docs/formats.md shows them.
 */
class FormatsTest {
  private static final InstantSource CLOCK =
      InstantSource.fixed(Instant.parse("2026-06-01T00:00:00Z"));

  /**
   * The formats that the README of uuinfo, {@code github.com/Racum/uuinfo}, lists in May 2026: each
   * version of UUIDs and ISBNs, and each unit of Unix times, as a row of its own.
   */
  private static final int ROWS_OF_UUINFO = 88;

  static List<JsonNode> everyFormatIsRead() {
    return Vectors.formats();
  }

  @ParameterizedTest
  @MethodSource
  void everyFormatIsRead(JsonNode vector) {
    List<Reading> readings = Inspector.inspect(vector.path("input").asString(), CLOCK);

    assertThat(readings)
        .as(vector.path("format").asString())
        .anySatisfy(
            reading -> {
              assertThat(reading.kind()).isEqualTo(vector.path("kind").asString());
              assertThat(reading.time().map(Form::timeText).orElse(null))
                  .isEqualTo(vector.path("time").asString(null));
            });
  }

  @Test
  void everyKindHasAnExample() {
    Set<String> kinds =
        Vectors.formats().stream()
            .map(vector -> vector.path("kind").asString())
            .collect(Collectors.toSet());

    assertThat(kinds).contains("prefixed", "puri");
    assertThat(kinds).allMatch(Layouts::isKind);
    assertThat(kinds).containsAll(Layouts.ALL.stream().map(Layout::kind).toList());
  }

  @Test
  void everyFormatOfUuinfoHasARow() {
    assertThat(
            Vectors.formats().stream()
                .map(vector -> vector.path("uuinfo").asString(""))
                .filter(row -> !row.isEmpty())
                .distinct())
        .hasSize(ROWS_OF_UUINFO);
  }

  /** If it fails, copy the expected rows to the page. */
  @Test
  void thePageShowsEveryFormat() throws IOException {
    List<String> page = Files.readAllLines(Path.of("..", "docs", "formats.md"));

    assertThat(page.stream().filter(line -> line.startsWith("| ")).skip(1))
        .startsWith(
            Vectors.formats().stream()
                .map(
                    vector ->
                        "| %s | `%s` | `%s` | %s |"
                            .formatted(
                                vector.path("format").asString(),
                                vector.path("kind").asString(),
                                vector.path("input").asString(),
                                vector.path("source").asString()))
                .toArray(String[]::new));
    assertThat(page).anyMatch(line -> line.contains(ROWS_OF_UUINFO + " formats"));
  }

  @ParameterizedTest
  @CsvSource({
    "32CQvwbvpbnkmkhhguznVH, uuidv4 spotify nuid",
    "UHKjBazX_UG8dEAJaikK1g==, uuid",
    "dpoadk8izg9y4tte7vy1xt94o, uuidv4",
    "1400000000000000000, snowflake-twitter snowflake-discord snowflake-instagram unix-nanos sequence",
    "1734971723000000000, snowflake-twitter snowflake-instagram unix-nanos sequence",
    "01JCXSGZMZQQJ2M93WC0T8KT02, ulid",
    "abcd_2adnrb7b6jkyos6xusvmaa, upid",
    "6592008029c8c3e4dc76256c, objectid",
    "13c7f72eff938c3cba49cfb88fa840868effca9c, sha-1 ksuid",
    "cst4p962941gd9baqg70, xid",
    "cm3xemk9o00070cm7ghnl6toe, cuid",
    "byab6ewccgwheoshq1wk9hds, cuid2",
    "03cwivkme1qhj3crprqujv4lu, scru128",
    "0v20wcjrb21p, scru64",
    "02i2XhN7hAuaFh3MwztcMd, timeflake",
    "8HFaR8qWtRlGDHnO57, flake",
    "XBCdxzsCR2FEFeSwhnjCo, nanoid",
    "0J4AEXRN106Z0, tsid",
    "86Rf07, sqid hashid",
    "80JTEquWr, sqid hashid",
    "gocwRvLhDf8, youtube-video",
    "cus_lO1DEQWBbQAACfHO, prefixed",
    "6772800700000000d97a8af26532e259, uuid datadog-trace md5",
    "EQyuCsA4ysv7ezXReOrk4i, nuid",
    "prefix_01h2xcejqtf2nbrexx3vqjhp41, typeid ulid",
    "9NU6-XQLZ-BDIH-6HKE, breezeid",
    "he5fps6l2504cd1w3ag8ut8e, puid",
    "aeby6ob5sso4zd, short-puid",
    "-OFrJ24CPTXLcIPPjvh3, firebase-push-id",
    "3lfegaoywdk2w, atproto-tid",
    "DEr_fXvuw6D, instagram-shortcode",
    "15-048-3782, duns",
    "B00DQC2FPM, slack asin",
    "89283082e73ffff, h3-cell",
    "1ZQWherERWu_ZXMGhW0Yw_VxnHFPc3hxLBQ2FjSEalFE, google-docs",
    "C12345ABCDE, slack",
    "4PTG3Z6ehGkBFwjybzWkR8, spotify nuid",
    "199C01B6659-5861C, nano64",
    "199C01B66595861C, nano64",
    "order_00myngy59c0003000dfk59mg3e36j3rr-9xgg, orderlyid",
    "order_00myngy59c0003000dfk59mg3e36j3rr-9xgh, prefixed",
    "user_00jc1gmmfc000ag0y007xbdyxz5fxzqd, orderlyid",
    "swh:1:dir:65a597ec22d11d3a406784f6f5787a252605561b, swhid",
    "e5fa44f2b31c1fb553b6021e7360d07d5d91ff5e, sha-1",
    "b265f33f6fe99bd366dae49c45d2c3d288fdd852024103e85c07002d, digest-224",
    "4355a46b19d348dc2f57c046f8ef63d4538ebb936000f3c9ee954a27460dd865, digest-256",
    "QmbWqxBEKC3P8tqsKc98xmWNzrzDtRLMiMPL8wBuTGsMnR, ipfs-cid",
    "bafybeigdyrzt5sfp7udm7hu76uh7y26nf3efuylqabf3oclgtqy55fbzdi, ipfs-cid",
    "k51qzi5uqu5dlvj2baxnqndepeb86cbk3ng7n3i46uzyxzyqj2xjonzllnv0v8, ipns-name",
    "127.0.0.1, ipv4",
    "::1, ipv6",
    "00:00:00:00:00:00, mac",
    "35-588906-014977-7, imei",
    "355889060149777, imei snowflake-twitter sequence",
    "978-0-553-38257-0, isbn-13",
    "9780553382570, isbn-13 sequence",
    "0-553-38257-8, isbn-10",
    "0553382578, isbn-10 sequence",
    "NO9386011117947, iban sequence",
    "1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa, bitcoin-address",
    "0xd8da6bf26964af9d7eed9e03e53415d37aa96045, ethereum-address",
    "5901234123457, ean-13 sequence",
    "590-1234-123457, ean-13",
    "9638-5074, ean-8",
    "9638-5075, ''",
    "0-42100-00526-4, upc-a",
    "1-06-14141-000415, gtin-14",
    "b026324c6904b2a9cb4b88d6d61c81d1, uuid md5",
    "1M8GDM9AXKP042788, vin",
    "112277929257317646, snowflake-twitter snowflake-discord tsid snowflake-instagram snowflake-sony snowflake-mastodon sequence",
    "7256902784527069184, snowflake-1970 frostflake sequence",
    "7423342004626526207, snowflake-1970 frostflake sequence",
    "00000134-d423-5a10-109a-dd5e0e8f0005, uuid flake",
    "2024, sequence",
    "camelCase2Words, sqid hashid"
  })
  void exampleIsReadAsItsFormat(String text, String kinds) {
    assertThat(kinds(text)).isEqualTo(kinds);
  }

  @ParameterizedTest
  @ValueSource(strings = {"hello", "README", "HelloWorld", "2024-01-15", "12:34:56", "1.2.3"})
  void wordIsNoIdentifier(String text) {
    assertThat(kinds(text)).isEmpty();
  }

  private static String kinds(String text) {
    return Inspector.inspect(text, CLOCK).stream()
        .map(Reading::kind)
        .collect(Collectors.joining(" "));
  }
}
