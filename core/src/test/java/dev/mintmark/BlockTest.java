package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What remains of a block without the values of another. */
class BlockTest {
  @ParameterizedTest
  @CsvSource({
    "10.0.0.0/28, 10.0.0.5, 10.0.0.0/30;10.0.0.4/32;10.0.0.6/31;10.0.0.8/29",
    "10.0.0.0/28, 10.0.0.0/29, 10.0.0.8/29",
    "10.0.0.0/28, 10.0.0.0/8, ''",
    "10.0.0.0/28, 10.0.0.0/28, ''",
    "10.0.0.0/28, 10.0.1.0/28, 10.0.0.0/28",
    "10.0.0.0/28, 5, 10.0.0.0/28",
    "2001:db8::/126, 2001:db8::2, 2001:db8::/127;2001:db8::3/128",
    "0..9, 3..4, 0..2;5..9",
    "0..9, 0..4, 5..9",
    "0..9, 9, 0..8",
    "0..9, 0..100, ''",
    "0..9, 10..11, 0..9",
    "0..9, 2..5 by 2, 0..1;6..9",
    "1..100 by 10, 15, 1..14;16..100",
    "1..100 by 10, 101, 1..100 by 10",
    "1..100 by 10, 0..100, ''",
    "10.0.0.0/28 by /30, 10.0.0.5, 10.0.0.0/30;10.0.0.4/32;10.0.0.6/31;10.0.0.8/29",
    "10.0.0.0/28 by /30, 10.0.0.8/29 by /31, 10.0.0.0/29",
    "10.0.0.0/28, 10.0.0.8/29 by /31, 10.0.0.0/29",
    "10.0.0.0/28 by /30, 10.0.0.16/28, 10.0.0.0/28 by /30"
  })
  void blocksRemainWithoutTheValuesOfAnother(String block, String other, String rest) {
    assertThat(Block.parse(block).without(Block.parse(other)))
        .extracting(Block::toString)
        .containsExactlyElementsOf(rest.isEmpty() ? List.of() : List.of(rest.split(";")));
  }

  /** Every block of 16 addresses or fewer, without every other: each address is in one of them. */
  @Test
  void eachAddressIsInTheOtherBlockOrInOneOfTheRest() {
    CidrBlock whole = CidrBlock.parse("2001:db8::/124");
    List<CidrBlock> blocks =
        IntStream.rangeClosed(124, 128)
            .boxed()
            .flatMap(length -> whole.split(length).stream())
            .toList();
    for (CidrBlock block : blocks) {
      for (CidrBlock other : blocks) {
        List<Block> rest = block.without(other);
        for (int host = 0; host < block.size(); host++) {
          String value = block.valueAt(host);
          assertThat(
                  Stream.concat(Stream.of(other), rest.stream())
                      .filter(one -> one.positionOf(value).isPresent()))
              .as("%s without %s: %s in %s", block, other, value, rest)
              .hasSize(1);
        }
        assertThat(rest).allMatch(block::overlaps);
      }
    }
  }

  @Test
  void aListRemainsWithoutTheValuesOfAnother() {
    ValueList list = ValueList.of("codes", List.of("a", "b", "c"));

    assertThat(list.without(ValueList.of("other", List.of("b", "x"))))
        .containsExactly(ValueList.of("codes", List.of("a", "c")));
    assertThat(list.without(ValueList.of("other", List.of("c", "b", "a")))).isEmpty();
    assertThat(list.without(Block.parse("1"))).containsExactly(list);
  }
}
