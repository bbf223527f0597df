package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.Random;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.StringLength;
import org.junit.jupiter.api.Test;

class KeyringTest {
  private static final byte[] PURPOSE = "a test".getBytes(StandardCharsets.US_ASCII);

  @Test
  void textReadsAsTheSecretsThatItNames() {
    String text = " b:" + base64(secret(2)) + ",\n a: " + base64(secret(1)) + "\n";

    Keyring keyring = Keyring.parse(text);

    Keyring same = Keyring.of('b', secret(2)).withOlder('a', secret(1));
    assertThat(keyring.keys()).containsExactly('b', 'a');
    assertThat(keyring.derive('b', PURPOSE)).isEqualTo(same.derive('b', PURPOSE));
    assertThat(keyring.derive('a', PURPOSE)).isEqualTo(same.derive('a', PURPOSE));
  }

  @Property(tries = 100)
  void secretReadsInEitherAlphabetWithAndWithoutPadding(@ForAll long seed) {
    byte[] secret = secret(seed);
    Keyring expected = Keyring.of('a', secret);

    for (Base64.Encoder encoder :
        new Base64.Encoder[] {
          Base64.getEncoder(), Base64.getUrlEncoder(), Base64.getEncoder().withoutPadding()
        }) {
      Keyring keyring = Keyring.parse("a:" + encoder.encodeToString(secret));
      assertThat(keyring.derive('a', PURPOSE)).isEqualTo(expected.derive('a', PURPOSE));
    }
  }

  @Test
  void keysOfDifferentSecretsAndPurposesDiffer() {
    Keyring keyring = Keyring.of('b', secret(2)).withOlder('a', secret(1));
    byte[] other = "another test".getBytes(StandardCharsets.US_ASCII);

    assertThat(keyring.derive('a', PURPOSE))
        .hasSize(32)
        .isNotEqualTo(keyring.derive('b', PURPOSE))
        .isNotEqualTo(keyring.derive('a', other));
  }

  @Test
  void keysOfDifferentSecretsAndLabelsDiffer() {
    Keyring keyring = Keyring.of('b', secret(2)).withOlder('a', secret(1));

    assertThat(keyring.deriveKey('a', "cursors"))
        .hasSize(32)
        .isEqualTo(Keyring.of('a', secret(1)).deriveKey('a', "cursors"))
        .isNotEqualTo(keyring.deriveKey('b', "cursors"))
        .isNotEqualTo(keyring.deriveKey('a', "cursor"));
  }

  @Test
  void keyOfALabelIsDerivedAsItAlwaysWas() {
    byte[] purpose = "mintmark key v1 cursors".getBytes(StandardCharsets.US_ASCII);
    Keyring keyring = Keyring.of('a', secret(1));

    assertThat(keyring.deriveKey('a', "cursors")).isEqualTo(keyring.derive('a', purpose));
  }

  @Test
  void labelIsAShortPlainWord() {
    Keyring keyring = Keyring.of('a', secret(1));

    assertThat(keyring.deriveKey('a', "a".repeat(Keyring.LABEL_LENGTH_MAX))).hasSize(32);
    for (String label :
        new String[] {"", "A", "1a", "-a", "a b", "a\n", "\u00e4", "a".repeat(64)}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> keyring.deriveKey('a', label))
          .withMessage(
              "malformed key label %s: expected 1 to 63 of a-z, 0-9 and '-', starting with a letter",
              Quoted.of(label));
    }
  }

  @Test
  void keyThatIsNotThereIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Keyring.of('a', secret(1)).deriveKey('b', "cursors"))
        .withMessage("key 'b' is not in Keyring[a]");
  }

  @Test
  void secretThatChangesLaterChangesNothing() {
    byte[] secret = secret(1);
    Keyring keyring = Keyring.of('a', secret);

    secret[0]++;

    assertThat(keyring.derive('a', PURPOSE))
        .isEqualTo(Keyring.of('a', secret(1)).derive('a', PURPOSE));
  }

  @Test
  void nameOfAKeyIsADigitInEitherCase() {
    assertThat(Keyring.of('B', secret(1))).hasToString("Keyring[b]");
    for (char name : "ilou-_ \n\u0661\u212a\ud83d".toCharArray()) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Keyring.of(name, secret(1)))
          .withMessageEndingWith("expected its name to be one of 0123456789abcdefghjkmnpqrstvwxyz");
    }
  }

  @Test
  void nameIsTakenOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Keyring.of('a', secret(1)).withOlder('A', secret(2)))
        .withMessage("key 'a': the keyring already has this name: expected a new one");
  }

  @Test
  void secretIsTakenOnce() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Keyring.of('b', secret(1)).withOlder('a', secret(1)))
        .withMessage(
            "key 'a': the keyring already has its secret under another name: expected a new one");
  }

  @Test
  void secretHas32To1024Bytes() {
    byte[] long1024 = new byte[1024];
    new Random(1).nextBytes(long1024);

    assertThat(Keyring.of('a', long1024)).hasToString("Keyring[a]");
    for (int length : new int[] {0, 31, 1025}) {
      assertThatIllegalArgumentException()
          .isThrownBy(() -> Keyring.of('a', new byte[length]))
          .withMessage("key 'a': its secret has %d bytes: expected 32 to 1024", length);
    }
  }

  @Test
  void secretThatNobodyDrewIsRefused() {
    byte[] typed = "password".repeat(4).getBytes(StandardCharsets.US_ASCII);

    assertThatIllegalArgumentException()
        .isThrownBy(() -> Keyring.of('a', new byte[32]))
        .withMessageStartingWith("key 'a': its secret has 1 different bytes: expected random ones");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Keyring.of('a', typed))
        .withMessageStartingWith("key 'a': its secret has 7 different bytes");
  }

  @Property
  void anyTextIsRefusedWithoutShowingIt(@ForAll @StringLength(min = 20, max = 60) String text) {
    assertThatThrownBy(() -> Keyring.parse(text))
        .isInstanceOf(IllegalArgumentException.class)
        .message()
        .doesNotContain(text);
  }

  @Test
  void secretStandsInNoMessage() {
    String secret = base64(secret(1));

    for (String text :
        new String[] {
          secret, "key:" + secret, "a:" + secret + "*", "a:" + secret + ",", "i:" + secret
        }) {
      assertThatThrownBy(() -> Keyring.parse(text))
          .isInstanceOf(IllegalArgumentException.class)
          .hasNoCause()
          .message()
          .doesNotContain(secret.substring(0, 6));
    }
    assertThat(Keyring.parse("a:" + secret).toString()).doesNotContain(secret.substring(0, 6));
  }

  @Test
  void messageSaysWhichEntryIsWrong() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Keyring.parse("a:" + base64(secret(1)) + ",no colon"))
        .withMessage(
            "malformed keyring: entry 2 of 2: expected NAME:SECRET with a name of one character");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Keyring.parse("a:***"))
        .withMessage("key 'a': its secret is not base64");
  }

  @Test
  void textOfMegabytesIsRefusedByItsLength() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Keyring.parse(",".repeat(10_000_000)))
        .withMessage("malformed keyring: it has 10000000 characters: expected 65536 at most");
  }

  @Test
  void allNamesFitInOneText() {
    byte[] secret = new byte[1024];
    Random random = new Random(1);
    StringBuilder text = new StringBuilder();
    for (char name : "0123456789abcdefghjkmnpqrstvwxyz".toCharArray()) {
      random.nextBytes(secret);
      text.append(text.isEmpty() ? "" : ",\n").append(name).append(':').append(base64(secret));
    }

    assertThat(Keyring.parse(text.toString()).keys()).hasSize(32);
  }

  static byte[] secret(long seed) {
    byte[] secret = new byte[32];
    new Random(seed).nextBytes(secret);
    return secret;
  }

  private static String base64(byte[] secret) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(secret);
  }
}
