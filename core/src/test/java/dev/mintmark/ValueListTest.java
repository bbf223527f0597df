package dev.mintmark;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ValueListTest {
  private final Path directory;

  ValueListTest(@TempDir Path directory) {
    this.directory = directory;
  }

  @Test
  void valuesKeepTheOrderOfTheList() {
    ValueList list = ValueList.of("codes", List.of("zebra", "Ant", "ant", "+49 30 1234"));

    assertThat(list.size()).isEqualTo(4);
    assertThat(list.valueAt(0)).isEqualTo("zebra");
    assertThat(list.positionOf("ant")).hasValue(2);
    assertThat(list.positionOf("+49 30 1234")).hasValue(3);
    assertThat(list.positionOf("bee")).isEmpty();
    assertThat(list).hasToString("codes");
    assertThatExceptionOfType(IndexOutOfBoundsException.class).isThrownBy(() -> list.valueAt(4));
  }

  @Test
  void listIsEqualToOneOfThatNameWithThoseValues() {
    ValueList list = ValueList.of("codes", List.of("a", "b"));

    assertThat(list)
        .isEqualTo(ValueList.of("codes", List.of("a", "b")))
        .hasSameHashCodeAs(ValueList.of("codes", List.of("a", "b")))
        .isNotEqualTo(ValueList.of("code", List.of("a", "b")))
        .isNotEqualTo(ValueList.of("codes", List.of("b", "a")));
  }

  @Test
  void listsOverlapWhereTheyShareAValue() {
    ValueList list = ValueList.of("x", List.of("a", "b", "7"));

    assertThat(list.overlaps(ValueList.of("y", List.of("c", "b")))).isTrue();
    assertThat(ValueList.of("y", List.of("b")).overlaps(list)).isTrue();
    assertThat(list.overlaps(ValueList.of("x", List.of("c", "B")))).isFalse();
    assertThat(list.overlaps(Block.parse("7"))).isFalse();
    assertThat(Block.parse("7").overlaps(list)).isFalse();
    assertThat(Block.parse("1..7 by 2").overlaps(list)).isFalse();
    assertThat(Block.parse("10.0.0.0/8").overlaps(list)).isFalse();
  }

  @Test
  void readsOneValueALine() throws IOException {
    Path file = write("\uFEFFBURGER-1\r\n\r\n# gone\n  BURGER 2\t\n#3\nGRÜN\n🍔");

    ValueList list = ValueList.read(file);

    assertThat(list.values()).containsExactly("BURGER-1", "BURGER 2", "GRÜN", "🍔");
    assertThat(list.name()).isEqualTo("codes.txt");
  }

  @Test
  void valueThatStandsThereTwiceIsRefusedWithBothItsLines() throws IOException {
    Path file = write("# codes\nA\n\nB\nA \n");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ValueList.read(file))
        .withMessage("list \"codes.txt\": line 2 and line 5 are both \"A\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ValueList.of("codes", List.of("A", "B", "A")))
        .withMessage("list \"codes\": value 1 and value 3 are both \"A\"");
  }

  @Test
  void valueThatIsTooLongIsRefusedWithItsLine() throws IOException {
    assertThat(ValueList.read(write("x".repeat(255))).size()).isEqualTo(1);

    Path file = write("\n\n" + "x".repeat(256));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ValueList.read(file))
        .withMessage(
            "list \"codes.txt\": line 3 is %s: expected 1 to 255 characters, got 256",
            Quoted.of("x".repeat(256)));
  }

  @ParameterizedTest
  @ValueSource(strings = {".", ".."})
  void valueThatNoPathCanHoldIsRefusedWithItsLine(String dots) throws IOException {
    assertThat(ValueList.of("..", List.of("...", ".a")).size()).isEqualTo(2);

    Path file = write("A\n" + dots + "\n");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ValueList.read(file))
        .withMessage(
            "list \"codes.txt\": line 2 is %s: the path of a URL cannot contain it",
            Quoted.of(dots));
  }

  @Test
  void controlCharacterIsRefusedWithItsLine() throws IOException {
    Path file = write("A\nB\rC\n");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ValueList.read(file))
        .withMessage(
            "list \"codes.txt\": line 2 is \"B\\u000dC\": expected no control character and no half"
                + " of a surrogate pair");
  }

  @Test
  void otherEncodingIsRefusedWithItsLine() throws IOException {
    Path file = directory.resolve("codes.txt");
    Files.write(file, "A\ncaf\u00e9\n".getBytes(StandardCharsets.ISO_8859_1));

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ValueList.read(file))
        .withMessage("list \"codes.txt\": line 2 is not UTF-8");
  }

  @ParameterizedTest
  @ValueSource(strings = {"", " ", " a", "a\t", "a\nb", "\u0000", "\u0085", "\uD83C", "a\uDF54"})
  void malformedValueAndNameAreRefused(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ValueList.of("codes", List.of("ok", text)))
        .withMessageStartingWith("list \"codes\": value 2 is " + Quoted.of(text) + ": expected ");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ValueList.of(text, List.of("ok")))
        .withMessageStartingWith("list " + Quoted.of(text) + ": the name: expected ");
  }

  @Test
  void fileWithoutValuesIsRefused() throws IOException {
    Path file = write("# none yet\n\n");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ValueList.read(file))
        .withMessage("list \"codes.txt\": expected 1 to 1048576 values, it has none");
  }

  @Tag("slow")
  @Test
  void listMayHaveTwoToThe20Values() throws IOException {
    List<String> values = IntStream.range(0, 1 << 20).mapToObj(i -> "V" + i).toList();

    ValueList list = ValueList.of("codes", values);

    assertThat(list.positionOf("V1048575")).hasValue(1_048_575);
    Path file = write(String.join("\n", values) + "\nlast\n");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ValueList.read(file))
        .withMessage("list \"codes.txt\": expected 1 to 1048576 values, it has more");
  }

  @Test
  void fileThatIsTooLargeIsRefused() throws IOException {
    Path file = directory.resolve("codes.txt");
    try (var channel = Files.newByteChannel(file, CREATE, WRITE)) {
      channel.position(ValueList.FILE_BYTES_MAX);
      channel.write(ByteBuffer.wrap(new byte[1]));
    }

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ValueList.read(file))
        .withMessageEndingWith(": larger than 67108864 bytes");
  }

  @Test
  void fileThatCannotBeReadIsRefused() {
    Path missing = directory.resolve("none.txt");

    assertThatIllegalArgumentException()
        .isThrownBy(() -> ValueList.read(missing))
        .withMessage("list " + Quoted.of(missing.toString()) + ": no such file");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> ValueList.read(directory))
        .withMessageStartingWith("list " + Quoted.of(directory.toString()) + ": cannot be read: ");
  }

  @Test
  void listHasNoPositionsInAnotherBlock() {
    ValueList list = ValueList.of("x", List.of("a", "b"));

    assertThat(list.positionsIn(list)).isEqualTo(new Block.Positions(0, 0));
  }

  private Path write(String text) throws IOException {
    return Files.writeString(directory.resolve("codes.txt"), text);
  }
}
