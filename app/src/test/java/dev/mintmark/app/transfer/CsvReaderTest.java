package dev.mintmark.app.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.io.StringReader;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Records of CSV, and the labels in one of their fields. */
class CsvReaderTest {
  @Test
  void fieldsMayBeQuotedAndContainLineEnds() throws IOException {
    CsvReader reader = reader("a,\"b \"\"c\"\", d\",\n\n\"two\nlines\",x\r\nlast");

    assertThat(reader.next()).containsExactly("a", "b \"c\", d", "");
    assertThat(reader.line()).isEqualTo(1);
    assertThat(reader.next()).containsExactly("two\nlines", "x");
    assertThat(reader.line()).isEqualTo(3);
    assertThat(reader.next()).containsExactly("last");
    assertThat(reader.line()).isEqualTo(5);
    assertThat(reader.next()).isNull();
  }

  @Test
  void spaceAroundAFieldIsLeftOutUnlessItIsQuoted() throws IOException {
    CsvReader reader = reader(" a ,\" b \", c\t\r\n\" d\r\"\r\n\" e \"");

    assertThat(reader.next()).containsExactly("a", " b ", "c");
    assertThat(reader.next()).containsExactly(" d\r");
    assertThat(reader.next()).containsExactly(" e ");
  }

  @Test
  void aByteOrderMarkIsLeftOut() throws IOException {
    assertThat(reader("\uFEFFvalue,client\n").next()).containsExactly("value", "client");
  }

  @Test
  void whatIsNoRecordIsRejected() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> reader("\"a\nb").next())
        .withMessage("line 1: a quote is not closed");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> reader("a".repeat(CsvReader.RECORD_LENGTH_MAX + 1)).next())
        .withMessage("line 1: the record is longer than 65536 characters");
  }

  @Test
  void labelsAreOneField() {
    Map<String, String> labels =
        Map.of("rack", "b;7", "tag", "", "path", "a\\b", " left", "x\\", "right", "y ", "\t", "\t");

    String text = LabelsText.format(labels);

    assertThat(LabelsText.parse(text)).isEqualTo(labels);
    assertThat(LabelsText.parse("rack:b7; env:prod;"))
        .isEqualTo(Map.of("rack", "b7", "env", "prod"));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> LabelsText.parse("a:1;a:2"))
        .withMessage("the label \"a\" is there twice");
  }

  @Test
  void theLineOfEachValueIsKnown() {
    LineOfValue lines = new LineOfValue();
    for (int i = 1; i <= 5_000; i++) {
      lines.put(i * 31L, i, false);
    }
    lines.put(31L, 9_000, false);
    lines.put(62L, 9_001, true);

    assertThat(lines.get(31L)).isEqualTo(1);
    assertThat(lines.get(62L)).isEqualTo(9_001);
    assertThat(lines.get(5_000 * 31L)).isEqualTo(5_000);
    assertThat(lines.get(7L)).isZero();
  }

  private static CsvReader reader(String text) {
    return new CsvReader(new StringReader(text));
  }

  @Test
  void formatsAreRecognizedByTheirHeading() {
    assertThat(ImportFormat.of(List.of("Value", "client"))).isEqualTo(ImportFormat.CSV);
    assertThat(ImportFormat.of(List.of("IP Address", "Tenant", "DNS Name")))
        .isEqualTo(ImportFormat.NETBOX);
    assertThat(
            ImportFormat.of(
                List.of(
                    ("address,hwaddr,client_id,valid_lifetime,expire,subnet_id,fqdn_fwd,fqdn_rev,hostname,"
                            + "state,user_context,pool_id")
                        .split(","))))
        .isEqualTo(ImportFormat.KEA);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ImportFormat.of(List.of("a", "b")))
        .withMessageStartingWith("line 1: \"a,b\" is the heading of no format: expected");
  }
}
