package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HexFormat;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HkdfTest {
  /** The three of RFC 5869 appendix A that are for SHA-256. */
  @ParameterizedTest(name = "A.{0}")
  @CsvSource({
    "1, 0b:22, 00-0c, f0-f9, 077709362c2e32df0ddc3f0dc47bba6390b6c73bb50f9c3122ec844ad7c2b3e5,"
        + "3cb25f25faacd57a90434f64d0362f2a2d2d0a90cf1a5a4c5db02d56ecc4c5bf34007208d5b887185865",
    "2, 00-4f, 60-af, b0-ff, 06a6b88c5853361a06104c9ceb35b45cef760014904671014a193f40c15fc244,"
        + "b11e398dc80327a1c8e7f78c596a49344f012eda2d4efad8a050cc4c19afa97c59045a99cac7827271cb41c6"
        + "5e590e09da3275600c2f09b8367793a9aca3db71cc30c58179ec3e87c14c01d5c1f3434f1d87",
    "3, 0b:22, '', '', 19ef24a32c717b167f33a91d6f648bdf96596776afdb6377ac434c1c293ccb04,"
        + "8da4e775a563c18f715f802a063c5a31b8a11f5c5ee1879ec3454e5f3c738d2d9d201395faa4b61a96c8",
  })
  void keysAreThoseOfTheRfc(
      int example, String secret, String salt, String info, String extracted, String key) {
    byte[] given = salt.isEmpty() ? Hkdf.NO_SALT : bytes(salt);

    byte[] actual = Hkdf.extract(given, bytes(secret));

    assertThat(actual).isEqualTo(HexFormat.of().parseHex(extracted));
    assertThat(Hkdf.expand(actual, bytes(info), key.length() / 2))
        .isEqualTo(HexFormat.of().parseHex(key));
  }

  /** {@code 00-0c} is every byte from 00 to 0c, {@code 0b:22} is 0b 22 times. */
  private static byte[] bytes(String text) {
    if (text.isEmpty()) {
      return new byte[0];
    }
    int first = Integer.parseInt(text, 0, 2, 16);
    boolean repeated = text.charAt(2) == ':';
    int count =
        repeated
            ? Integer.parseInt(text, 3, text.length(), 10)
            : Integer.parseInt(text, 3, 5, 16) - first + 1;
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (repeated ? first : first + i);
    }
    return bytes;
  }
}
