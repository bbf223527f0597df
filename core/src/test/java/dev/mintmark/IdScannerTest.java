package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Locale;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class IdScannerTest {
  private static final Instant NOW = Instant.parse("2026-11-24T00:00:00Z");
  private static final String ULID = "01FZG96YPZK4SANAG1ZM5T2K9Z";
  private static final String UUID = "017fe093-7adf-7932-aaaa-01fd0ba14d3f";
  private static final int MEBIBYTE = 1 << 20;
  private static final String COLONS = ":::::::::::::::::::::::::::::::::::::::::::::::::::";
  private static final Catalog CATALOG =
      new Catalog(
          "bobsburgers",
          List.of(
              CollectionSpec.builder("meats", Kind.ULID).build(),
              CollectionSpec.builder("payments", Kind.SEQUENCE).prefix("PM").width(6).build(),
              CollectionSpec.builder("orders", Kind.TYPEID).prefix("order").build()),
          List.of());
  private static final IdScanner SCANNER =
      IdScanner.of(
          CATALOG, InstantSource.fixed(NOW), Set.of("45.67.80.17", "2001:db8::7")::contains);

  /** Characters that end an identifier, and what begins with one. */
  private static final List<String> AROUND =
      List.of(
          " ",
          "\n",
          "\t",
          "\"",
          "'",
          "(",
          ")",
          "[",
          "]",
          "{",
          "}",
          "<",
          ">",
          ",",
          ";",
          "=",
          "/",
          "?",
          "&",
          "#",
          "|",
          "*",
          "ä",
          "\uD83D\uDE00",
          "\\n",
          "\\\"",
          "%3D",
          "%22",
          " words in a text ",
          " 2026-11-24T10:00:00.123Z ",
          " v1.2.3 ",
          " at dev.mintmark.Inspector(Inspector.java:42) ");

  private static List<String> found(String text) {
    return SCANNER.scan(text).found().stream().map(IdScanner.Found::text).toList();
  }

  @Test
  @Tag("slow")
  void anIdentifierIsFoundAtItsPlaceWhateverIsAround() {
    List<String> ids =
        List.of(
            ULID,
            UUID,
            UUID.toUpperCase(Locale.ROOT),
            UUID.replace("-", ""),
            "urn:uuid:" + UUID,
            "order_01h455vb4pex5vsknk084sn02q",
            "user_" + ULID,
            "cus_NffrFeUfNV2Hib",
            "507f1f77bcf86cd799439011",
            "0ujtsYcgvSTl8PAuAdqWYSMnLOv",
            "9m4e2mr0ui3e8a215n4g",
            "175928847299117063",
            "1541815603606036480",
            "0ARYZ7V8R2M4C",
            "V1StGXR8_Z5jdHi6B-myT",
            "45.67.80.17",
            "2001:db8::7",
            "PM000123",
            "bobsburgers:meats:" + ULID);
    long seed = 42;
    Random random = new Random(seed);
    for (int i = 0; i < 5_000; i++) {
      String id = ids.get(random.nextInt(ids.size()));
      StringBuilder text = new StringBuilder();
      for (int n = random.nextInt(6); n >= 0; n--) {
        text.append(AROUND.get(random.nextInt(AROUND.size())));
      }
      int start = text.length();
      text.append(id);
      for (int n = random.nextInt(6); n >= 0; n--) {
        text.append(AROUND.get(random.nextInt(AROUND.size())));
      }

      List<IdScanner.Found> found = SCANNER.scan(text.toString()).found();

      assertThat(found).as("seed %d, %s", seed, text).hasSize(1);
      assertThat(found.get(0).start()).as("seed %d, %s", seed, text).isEqualTo(start);
      assertThat(found.get(0).end()).isEqualTo(start + id.length());
      assertThat(found.get(0).text()).isEqualTo(id);
      assertThat(found.get(0).readings())
          .isEqualTo(Inspector.inspect(id, InstantSource.fixed(NOW), Puris.of(CATALOG)));
    }
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "hello world, this is a text",
        "2024 1700000000 1700000000000 20240131235959123 2024-01-31T23:59:59Z",
        "1.2.3 1.2.3.4 10.0.0.1:8080 ::1 v2.0.0-rc.1+build5",
        "getAbstractSingletonProxyFactoryBean internationalization configuration2 UTF8 SHA256 HTTP2",
        "at dev.mintmark.app.http.IdsController.inspectIds(IdsController.java:55) ~[app-0.1.0.jar:?]",
        "dev.mintmark:mintmark-core:0.1.0 http://localhost:8080/v1/ids?limit=10",
        "user_id order_7 sk_test created_at_2024 deadbeef 0xdeadbeef cafe1234",
        "ERROR:main:failed 12:34:56.789 aa:bb:cc:dd:ee:ff",
        ""
      })
  void wordsDatesVersionsAndSmallNumbersAreNoIdentifiers(String text) {
    assertThat(found(text)).isEmpty();
  }

  @Test
  void partsOfAWordAreFound() {
    assertThat(found("order-" + UUID + "-" + ULID + ".json")).containsExactly(UUID, ULID);
    assertThat(found("https://example.com/orders/" + ULID + "?next=" + UUID + "#x"))
        .containsExactly(ULID, UUID);
    assertThat(found("{\"id\":\"" + ULID + "\",\"n\":175928847299117063}"))
        .containsExactly(ULID, "175928847299117063");
    assertThat(found("id:" + ULID + ".")).containsExactly(ULID);
    assertThat(found("from 45.67.80.17:8080 [2001:db8::7]:443"))
        .containsExactly("45.67.80.17", "2001:db8::7");
  }

  @Test
  void aPrefixOrAPuriNamesTheCollection() {
    List<String> names =
        SCANNER
            .scan(
                "PM000123 order_01h455vb4pex5vsknk084sn02q bobsburgers:meats:" + ULID + " " + ULID)
            .found()
            .stream()
            .map(found -> found.collection().map(CollectionSpec::name).orElse("none"))
            .toList();
    assertThat(names).containsExactly("payments", "orders", "meats", "none");
    assertThat(found("PM12 PM0000123")).isEmpty();
  }

  @Test
  void aTextWithoutIdentifiersHasTheNearestMiss() {
    String broken = ULID.substring(0, 25) + "U";

    IdScanner.Scan scan = SCANNER.scan("see abcdefgh12345 and\n  " + broken + ", please");

    assertThat(scan.found()).isEmpty();
    IdScanner.Miss miss = scan.nearestMiss().orElseThrow();
    assertThat(miss.text()).isEqualTo(broken);
    assertThat(miss.start()).isEqualTo(24);
    assertThat(miss.reason()).contains("character 25, 'U'");
    assertThat(SCANNER.scan(" nonsense ").nearestMiss().orElseThrow().start()).isEqualTo(1);
    assertThat(SCANNER.scan(ULID).nearestMiss()).isEmpty();
    assertThat(SCANNER.scan("  ").nearestMiss()).isEmpty();
  }

  @Test
  @Tag("slow")
  void aThousandAreReturnedAtMost() {
    IdScanner.Scan exact = SCANNER.scan((ULID + "\n").repeat(IdScanner.FOUND_MAX));
    IdScanner.Scan more = SCANNER.scan((ULID + "\n").repeat(IdScanner.FOUND_MAX + 1));

    assertThat(exact.found()).hasSize(IdScanner.FOUND_MAX);
    assertThat(exact.isTruncated()).isFalse();
    assertThat(more.found()).hasSize(IdScanner.FOUND_MAX);
    assertThat(more.isTruncated()).isTrue();
    assertThat(found((UUID + "-").repeat(2_000))).hasSize(IdScanner.FOUND_MAX);
  }

  /** The limit is generous for a busy machine; time that grew with the square would take hours. */
  @ParameterizedTest
  @ValueSource(
      strings = {
        "a",
        "0",
        "-",
        "_",
        ":",
        ".",
        "%",
        "\\",
        " ",
        "0-",
        "a.",
        "a:",
        "0a_",
        "1:",
        "f0f0f0f0-",
        "01FZG96YPZK4SANAG1ZM5T2K9U ",
        "01FZG96YPZK4SANAG1ZM5T2K9U-",
        "a:b:01FZG96YPZK4S ",
        "aaaaaaaa-aaaa-aaaa-aaaa-aaaaaaaaaaa-",
        "a_1234567890123 ",
        "getX1AbcdefghijKlmnop ",
        "0007f1f77bcf86cd79943901 ",
        COLONS + COLONS + COLONS + COLONS + COLONS + "g "
      })
  @Tag("slow")
  void aMebibyteOfAnythingTakesLinearTime(String part) {
    String text = part.repeat(MEBIBYTE / part.length());
    ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadCpuTime();

    var unused = SCANNER.scan(text);

    // At most some seconds; with the square of the length it would take minutes.
    assertThat(Duration.ofNanos(threads.getCurrentThreadCpuTime() - before))
        .isLessThan(Duration.ofMinutes(1));
  }
}
