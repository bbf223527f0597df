package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.within;

import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.IntRange;
import net.jqwik.api.constraints.NumericChars;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class Ipv6HashTest {
  /** Computed with Python's hashlib and ipaddress. */
  @ParameterizedTest
  @CsvSource({
    "2001:db8:42::/64, vm-43943, 2001:db8:42:0:fc80:f495:f122:1f11",
    "2001:db8:42::/96, vm-43943, 2001:db8:42::fc80:f495",
    "2001:db8:42::/64, 9b2e6c0e-7d1f-4a53-8f3b-0d6a8c1e2f47, 2001:db8:42:0:1fdd:4e6:50b8:3cb3",
    "2001:db8:42::/48, Zürich, 2001:db8:42:4251:685e:6ca:b635:578c"
  })
  void addressIsThePrefixAndTheFirstBitsOfTheHash(String prefix, String client, String address) {
    assertThat(new Ipv6Hash(CidrBlock.parse(prefix)).addressFor(client)).isEqualTo(address);
  }

  @Property
  void everyAddressIsInThePrefix(
      @ForAll @StringLength(min = 1, max = 20) @NumericChars String client,
      @ForAll @IntRange(min = 48, max = 96) int length) {
    CidrBlock prefix = CidrBlock.parse("2001:db8:42::/" + length);

    assertThat(prefix.hostOf(new Ipv6Hash(prefix).addressFor(client))).isPresent();
  }

  @Test
  void oddsAreThoseOfTheBirthdayProblem() {
    Ipv6Hash of64 = new Ipv6Hash(CidrBlock.parse("2001:db8:42::/64"));
    Ipv6Hash of32 = new Ipv6Hash(CidrBlock.parse("2001:db8:42::/96"));

    assertThat(of64.collisionProbability(500_000)).isCloseTo(6.776e-9, within(1e-12));
    assertThat(of32.collisionProbability(500_000)).isCloseTo(1, within(1e-9));
    assertThat(of64.collisionProbability(0)).isZero();
    assertThat(of64.collisionProbability(1)).isZero();
    assertThatIllegalArgumentException().isThrownBy(() -> of64.collisionProbability(-1));
  }

  @ParameterizedTest
  @ValueSource(strings = {"10.0.0.0/8", "::/64", "2001:db8::/97"})
  void otherPrefixesAreRefused(String prefix) {
    CidrBlock block = CidrBlock.parse(prefix);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> new Ipv6Hash(block))
        .withMessageStartingWith("ipv6 prefix " + prefix);
  }

  @Test
  void clientsAreUnicodeOfLimitedLength() {
    Ipv6Hash hash = new Ipv6Hash(CidrBlock.parse("2001:db8:42::/64"));

    assertThatIllegalArgumentException().isThrownBy(() -> hash.addressFor(""));
    assertThatIllegalArgumentException().isThrownBy(() -> hash.addressFor("a".repeat(256)));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> hash.addressFor("\uD800"))
        .withMessageContaining("is not Unicode");
  }
}
