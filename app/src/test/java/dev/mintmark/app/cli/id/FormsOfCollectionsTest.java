package dev.mintmark.app.cli.id;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.app.cli.MintmarkCommand;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

/**
 * {@code mintmark convert} with forms of a collection, {@code mintmark mask} and {@code mintmark
 * ipv6}. The masks are those of {@code vectors/masks.json}.
 */
class FormsOfCollectionsTest {
  private static final String FACE = "pay_a3wdgw0zrbmsq56da6a6w62jdy2";
  private static final String SECRET =
      "a:"
          + Base64.getEncoder()
              .encodeToString(
                  HexFormat.of()
                      .parseHex(
                          "000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f"));
  private static final String UUID = "017fe093-7adf-7932-aaaa-01fd0ba14d3f";

  @TempDir Path directory;

  private record Outcome(int status, String out, String err) {}

  @BeforeEach
  void writeCatalog() throws IOException {
    Files.writeString(
        directory.resolve("mintmark.yaml"),
        """
        namespace: bobsburgers
        code: b
        collections:
          payments: { kind: sequence, prefix: PM, width: 6, code: p, face: { mask: pay, key-label: payments } }
          orders: { kind: uuidv7, code: o, face: { mask: ord, key-label: orders } }
          meats: { kind: text, code: m }
          notes: { kind: ulid }
          users: { kind: typeid, prefix: user, face: { mask: usr, key-label: users } }
        namespaces:
          partner:
            code: p
            collections:
              payments: { kind: sequence, prefix: PM, width: 6, code: p }
              carts: { kind: snowflake, code: c }
        """);
    Files.writeString(directory.resolve("secret"), SECRET + "\n");
  }

  @ParameterizedTest
  @CsvSource({
    "payments, puri, PM000123, bobsburgers:payments:PM000123",
    "payments, puri, 123, bobsburgers:payments:PM000123",
    "payments, compact, PM000123, b.p.123",
    "payments, mask, PM000123, pay_a3wdgw0zrbmsq56da6a6w62jdy2",
    "payments, mask, b.p.123, pay_a3wdgw0zrbmsq56da6a6w62jdy2",
    "payments, mask, Bobsburgers:payments:PM123, pay_a3wdgw0zrbmsq56da6a6w62jdy2",
    "orders, puri, 017fe0937adf7932aaaa01fd0ba14d3f,"
        + " bobsburgers:orders:017fe093-7adf-7932-aaaa-01fd0ba14d3f",
    "orders, compact, urn:uuid:017fe093-7adf-7932-aaaa-01fd0ba14d3f, b.o.AX_gk3rfeTKqqgH9C6FNPw",
    "orders, compact, 01FZG96YPZF4SANAG1ZM5T2K9Z, b.o.AX_gk3rfeTKqqgH9C6FNPw",
    "meats, compact, chicken-prime, b.m.chicken-prime"
  })
  void identifiersOfANamedCollectionAreWritten(
      String collection, String to, String id, String written) {
    assertThat(convert(id, "--to", to, "--collection", collection))
        .isEqualTo(new Outcome(0, written + "\n", ""));
    assertThat(convertStdin(id + "\n", "--to", to, "--collection", collection))
        .isEqualTo(new Outcome(0, written + "\n", ""));
  }

  @ParameterizedTest
  @CsvSource({
    "puri, b.p.123, bobsburgers:payments:PM000123",
    "puri, b.o.AX_gk3rfeTKqqgH9C6FNPw, bobsburgers:orders:017fe093-7adf-7932-aaaa-01fd0ba14d3f",
    "compact, bobsburgers:payments:PM123, b.p.123",
    "compact, soundcloud:tracks:7, soundcloud:tracks:7",
    "puri, partner:payments:PM5, partner:payments:PM000005",
    "puri, p.p.5, partner:payments:PM000005",
    "puri, p.c.5, partner:carts:5",
    "compact, Partner:payments:PM000005, p.p.5",
    "compact, partner:carts:5, p.c.5",
    "mask, bobsburgers:payments:PM123, pay_a3wdgw0zrbmsq56da6a6w62jdy2",
    "uuid, b.o.AX_gk3rfeTKqqgH9C6FNPw, 017fe093-7adf-7932-aaaa-01fd0ba14d3f",
    "int, b.p.123, 123"
  })
  void aPuriNamesItsCollection(String to, String puri, String written) {
    assertThat(convert(puri, "--to", to)).isEqualTo(new Outcome(0, written + "\n", ""));
  }

  @Test
  void aPuriOfOpaqueTextIsOneRejectedLine() {
    assertThat(convertStdin("b.m.beef\nb.p.123\n", "--to", "int"))
        .isEqualTo(
            new Outcome(
                1,
                "\n123\n",
                "line 1: malformed identifier \"b.m.beef\": kind text has no other form: its"
                    + " identifiers are opaque texts\n"));
  }

  @ParameterizedTest
  @CsvSource({
    "int, --collection, payments",
    "int, --from, payments",
    "puri, --collection, orders",
    "uuid, --collection, orders",
    "compact, --collection, orders"
  })
  void aPuriOfAnotherCollectionIsRejectedInEveryForm(String to, String option, String name) {
    String puri = "bobsburgers:notes:" + UUID;

    assertThat(convert(puri, "--to", to, option, name))
        .isEqualTo(
            new Outcome(
                1,
                "\n",
                "line 1: malformed identifier \"%s\": expected one of collection \"%s\"\n"
                    .formatted(puri, name)));
  }

  /** With U+FFFD in place of what is not UTF-8, both names would have one pURI. */
  @Test
  void namesThatAreNotUtf8AreRejected() {
    byte[] latin = "M\u00fcller\nM\u00f6ller\nMaier\n".getBytes(StandardCharsets.ISO_8859_1);

    assertThat(run(latin, converting("--to", "puri", "--collection", "meats")))
        .isEqualTo(
            new Outcome(
                1,
                "\n\nbobsburgers:meats:maier\n",
                """
                line 1: malformed identifier "M\ufffdller": not UTF-8: byte 1 is 0xFC
                line 2: malformed identifier "M\ufffdller": not UTF-8: byte 1 is 0xF6
                """));
    assertThat(
            run(
                "n,id\n\u00fc,\"M\"\"\u00fc\"\n".getBytes(StandardCharsets.ISO_8859_1),
                converting("--to=puri", "--collection=meats", "--csv", "--column=id")))
        .isEqualTo(
            new Outcome(
                1,
                "n,id\n\ufffd,\n",
                "line 2: column \"id\": malformed identifier \"M\\\"\ufffd\": not UTF-8: byte 2 is 0xFC\n"));
    assertThat(run(latin, "ipv6", "--prefix", "2001:db8:42::/64", "--embed", "hash"))
        .satisfies(
            outcome -> {
              assertThat(outcome.status).isEqualTo(1);
              assertThat(outcome.out).matches("\n\n2001:\\S+\n");
              assertThat(outcome.err)
                  .contains("\nline 2: malformed identifier \"M\ufffdller\": not UTF-8:");
            });
  }

  @Test
  void masksAreOpenedInEveryForm() {
    String mask = convert(UUID, "--to", "mask", "--collection", "orders").out.strip();
    String[] fromOrders = {"--from", "mask", "--collection", "orders", "--to"};
    String[] fromPayments = {"--from", "mask", "--collection", "payments", "--to"};

    assertThat(mask).startsWith("ord_a").hasSize(31);
    assertThat(convert(mask, with(fromOrders, "uuid")).out).isEqualTo(UUID + "\n");
    assertThat(convert(mask, with(fromOrders, "compact")).out)
        .isEqualTo("b.o.AX_gk3rfeTKqqgH9C6FNPw\n");
    assertThat(convert(mask, with(fromOrders, "time")).out).isEqualTo("2022-03-31T15:23:55.999Z\n");
    assertThat(convert(FACE, with(fromPayments, "int")).out).isEqualTo("123\n");
    assertThat(convert(FACE, with(fromPayments, "puri")).out)
        .isEqualTo("bobsburgers:payments:PM000123\n");
  }

  @Test
  void columnsOfCsvAreConverted() {
    Outcome outcome =
        convertStdin(
            "n,id\n1,PM000123\n2,XX1\n3,PM000124\n",
            "--csv --column id --beside _mask --collection payments --to mask".split(" "));

    assertThat(outcome.status).isEqualTo(1);
    assertThat(outcome.out)
        .isEqualTo(
            "n,id,id_mask\n1,PM000123,%s\n2,XX1,\n3,PM000124,pay_a3z2mng9jzeswz714r6s8kdewh1\n"
                .formatted(FACE));
    assertThat(outcome.err).startsWith("line 3: column \"id\": malformed ").hasLineCount(1);
  }

  @Test
  void aCollectionIsAlsoAKindThatIsRead() {
    assertThat(convert("01FZG96YPZK4SANAG1ZM5T2K9Z", "--to", "time", "--from", "notes").out)
        .isEqualTo("2022-03-31T15:23:55.999Z\n");
    assertThat(convert("017fe093-7ae0-4932-aaaa-01fd0ba14d3f", "--to=time", "--from=notes").out)
        .isEqualTo("2022-03-31T15:23:56.000Z\n");
    assertThat(convert("x", "--to", "time", "--from", "noted"))
        .satisfies(
            refused -> {
              assertThat(refused.status).isEqualTo(2);
              assertThat(refused.err).contains("--from \"noted\": unknown form or kind");
            });
  }

  @Test
  void whatHasNoSuchFormIsReported() {
    assertThat(convert("PM000123", "--to", "mask").err)
        .isEqualTo(
            "line 1: malformed pURI \"PM000123\": expected one of the catalog, because no collection"
                + " is named\n");
    assertThat(convert("bobsburgers:meats:beef", "--to", "mask").err)
        .isEqualTo("line 1: no form \"mask\" of \"beef\": collection \"meats\" has no face\n");
    assertThat(convert("soundcloud:tracks:7", "--to", "mask").err)
        .isEqualTo(
            "line 1: no form \"mask\" of \"soundcloud:tracks:7\": the catalog does not have its"
                + " collection\n");
    assertThat(convert("p.p.5", "--to", "mask").err)
        .isEqualTo("line 1: no form \"mask\" of \"5\": collection \"payments\" has no face\n");
    assertThat(convert("b.p.123", "--to", "mask", "--collection", "orders").err)
        .isEqualTo(
            "line 1: malformed identifier \"b.p.123\": expected one of collection \"orders\"\n");
    assertThat(convert("order_01h455vb4pex5vsknk084sn02q", "--to", "mask", "--collection", "users"))
        .isEqualTo(
            new Outcome(
                1,
                "\n",
                "line 1: malformed TypeID \"order_01h455vb4pex5vsknk084sn02q\": expected prefix"
                    + " \"user\", found \"order\"\n"));
  }

  @Test
  void wrongOptionsAreRefusedBeforeTheFirstIdentifier() {
    assertThat(convert(FACE, "--from", "mask", "--to", "int"))
        .isEqualTo(new Outcome(2, "", "mintmark: --from mask requires --collection NAME\n"));
    assertThat(convert("1", "--to", "mask", "--collection", "notes"))
        .isEqualTo(new Outcome(2, "", "mintmark: collection \"notes\" has no face: declare one\n"));
    assertThat(run("", "mint", "--kind", "ulid", "--to", "mask"))
        .isEqualTo(
            new Outcome(2, "", "mintmark: form \"mask\" is not minted: convert writes it\n"));
  }

  @Test
  void masksAreShownAndOpened() {
    assertThat(mask("show", "", "PM000123", "124", "b.p.123").out)
        .isEqualTo(FACE + "\npay_a3z2mng9jzeswz714r6s8kdewh1\n" + FACE + "\n");
    assertThat(mask("open", FACE + "\n\n" + FACE.toUpperCase(Locale.ROOT) + "\n"))
        .isEqualTo(new Outcome(0, "PM000123\n\nPM000123\n", ""));
  }

  @Test
  void aForgedMaskIsReportedWithItsPosition() {
    String forged = FACE.substring(0, FACE.length() - 1) + "3";

    Outcome outcome = mask("open", "", FACE, forged);

    assertThat(outcome.status).isEqualTo(1);
    assertThat(outcome.out).isEqualTo("PM000123\n\n");
    assertThat(outcome.err)
        .isEqualTo(
            "line 2: malformed face \"%s\": it was not made with key 'a' of this mask\n"
                .formatted(forged));
    assertThat(mask("open", "", "--json", FACE, forged).out)
        .contains("\"output\" : \"PM000123\"", "\"output\" : null", "\"error\" : \"malformed face");
  }

  @Test
  void secretsAreNotPrinted() throws IOException {
    Files.writeString(directory.resolve("secret"), "a:c2VjcmV0LXRoYXQtaXMtdG9vLXNob3J0");

    Outcome outcome = mask("show", "", "1");

    assertThat(outcome.status).isEqualTo(2);
    assertThat(outcome.err)
        .contains("/secret: key 'a': its secret has 24 bytes: expected 32")
        .doesNotContain("c2Vj", "secret-that");
    Files.delete(directory.resolve("secret"));
    assertThat(mask("show", "", "1").status).isEqualTo(3);
  }

  @Test
  void ipv6AddressesAreWrittenAndRead() {
    String[] client = {"ipv6", "--prefix", "2001:db8:42::/96", "--embed", "client"};
    String[] ipv4 = {"ipv6", "--prefix", "2001:db8:42::/96", "--embed", "ipv4"};

    assertThat(run("", with(client, "500000")))
        .isEqualTo(new Outcome(0, "2001:db8:42::7:a120\n", ""));
    assertThat(run("2001:db8:42::7:a120\n", with(client, "--extract")).out).isEqualTo("500000\n");
    assertThat(run("", with(ipv4, "45.67.80.1")).out).isEqualTo("2001:db8:42::2d43:5001\n");
    assertThat(run("", with(ipv4, "--extract", "2001:db8:42::2d43:5001")).out)
        .isEqualTo("45.67.80.1\n");
    assertThat(run("", with(client, "vm-43943", "7")))
        .isEqualTo(
            new Outcome(
                1,
                "\n2001:db8:42::7\n",
                "line 1: client \"vm-43943\": expected a whole number of at most 32 bits, without"
                    + " leading zeros\n"));
  }

  @Test
  void clientsThatAreNotNumbersAreHashed() {
    String[] hash = {"ipv6", "--prefix", "2001:db8:42::/64", "--embed", "hash"};

    Outcome outcome = run("", with(hash, "--clients", "500000", "vm-43943"));

    assertThat(outcome)
        .isEqualTo(
            new Outcome(
                0,
                "2001:db8:42:0:fc80:f495:f122:1f11\n",
                "mintmark: two of 500,000 clients have one address with a probability of 6.8e-09:"
                    + " keep a unique index\n"));
    assertThat(run("", with(hash, "--extract", "2001:db8:42::1")).status).isEqualTo(2);
  }

  private Outcome mask(String command, String stdin, String... more) {
    List<String> all = new ArrayList<>(List.of("mask", command, "payments"));
    all.addAll(List.of("--catalog", file("mintmark.yaml"), "--secret-file", file("secret")));
    all.addAll(List.of(more));
    return run(stdin, all.toArray(String[]::new));
  }

  private Outcome convert(String id, String... options) {
    return run("", with(converting(options), id));
  }

  private Outcome convertStdin(String stdin, String... options) {
    return run(stdin, converting(options));
  }

  private String[] converting(String... options) {
    String[] command = {
      "convert", "--catalog", file("mintmark.yaml"), "--secret-file", file("secret")
    };
    return with(command, options);
  }

  private String file(String name) {
    return directory.resolve(name).toString();
  }

  private static String[] with(String[] first, String... more) {
    List<String> all = new ArrayList<>(List.of(first));
    all.addAll(List.of(more));
    return all.toArray(String[]::new);
  }

  private static Outcome run(String stdin, String... arguments) {
    return run(stdin.getBytes(StandardCharsets.UTF_8), arguments);
  }

  private static Outcome run(byte[] stdin, String... arguments) {
    StringWriter out = new StringWriter();
    StringWriter err = new StringWriter();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    InputStream before = System.in;
    System.setIn(new ByteArrayInputStream(stdin));
    try {
      CommandLine commandLine = MintmarkCommand.commandLine(bytes, arguments);
      commandLine.setOut(new PrintWriter(out));
      commandLine.setErr(new PrintWriter(err));
      int status = commandLine.execute(arguments);
      return new Outcome(status, out + bytes.toString(StandardCharsets.UTF_8), err.toString());
    } finally {
      System.setIn(before);
    }
  }
}
