package dev.mintmark;

import dev.mintmark.Digits.Alphabet;
import java.math.BigInteger;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;

/** The check digits of identifiers that are no numbers of a program. */
final class CheckDigits {
  private static final String VIN_LETTERS = "ABCDEFGHJKLMNPRSTUVWXYZ";
  private static final String VIN_VALUES = "12345678123457923456789";
  private static final int[] VIN_WEIGHTS = {8, 7, 6, 5, 4, 3, 2, 10, 0, 9, 8, 7, 6, 5, 4, 3, 2};
  private static final String BECH32 = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
  private static final int[] BECH32_GENERATOR = {
    0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3
  };

  /** The checksum of segwit version 0 (BIP 173), and of those after it (BIP 350). */
  private static final int BECH32_OF_0 = 1;

  private static final int BECH32M = 0x2bc830a3;

  private CheckDigits() {}

  /** ISO/IEC 7812-1 annex B, of an IMEI: every second digit from the right is doubled. */
  static boolean isLuhn(String text) {
    int[] digits = digits(text);
    int sum = 0;
    for (int i = 0; i < digits.length; i++) {
      int weighted = digits[digits.length - 1 - i] * (i % 2 + 1);
      sum += weighted / 10 + weighted % 10;
    }
    return sum % 10 == 0;
  }

  /** GS1 General Specifications section 7.9: weights 3 and 1 in turn. */
  static boolean isEan(String text) {
    int[] digits = digits(text);
    int sum = 0;
    for (int i = 0; i < digits.length; i++) {
      sum += digits[digits.length - 1 - i] * (i % 2 == 0 ? 1 : 3);
    }
    return sum % 10 == 0;
  }

  /** ISO 2108 of an ISBN of 10 digits: weights 10 to 1, modulo 11; X is ten. */
  static boolean isIsbn10(String text) {
    String digits = text.replace("-", "");
    int sum = 0;
    for (int i = 0; i < digits.length(); i++) {
      char c = digits.charAt(i);
      sum += (c == 'X' ? 10 : c - '0') * (10 - i);
    }
    return digits.length() == 10 && sum % 11 == 0;
  }

  /** ISO 13616-1 of an IBAN: the first four characters go to the end, letters count from 10. */
  static boolean isIban(String text) {
    StringBuilder decimal = new StringBuilder();
    (text.substring(4) + text.substring(0, 4))
        .chars()
        .forEach(c -> decimal.append(Character.digit(c, 36)));
    return new BigInteger(decimal.toString()).mod(BigInteger.valueOf(97)).intValue() == 1;
  }

  /** 49 CFR 565.15 of a VIN of North America: the ninth character is the sum modulo 11. */
  static boolean isVin(String text) {
    int sum = 0;
    for (int i = 0; i < VIN_WEIGHTS.length; i++) {
      char c = text.charAt(i);
      int letter = VIN_LETTERS.indexOf(c);
      sum += (letter < 0 ? c - '0' : VIN_VALUES.charAt(letter) - '0') * VIN_WEIGHTS[i];
    }
    return text.charAt(8) == "0123456789X".charAt(sum % 11);
  }

  /** Base58Check: the last 4 of 25 bytes begin the double SHA-256 of the others. */
  static boolean isBase58Check(String text) {
    BigInteger number = BigInteger.ZERO;
    for (int i = 0; i < text.length(); i++) {
      int value = Alphabet.BASE58.value(text.charAt(i));
      number = number.multiply(BigInteger.valueOf(58)).add(BigInteger.valueOf(value));
    }
    if (number.bitLength() > 25 * Byte.SIZE) {
      return false;
    }
    byte[] significant = number.toByteArray();
    byte[] bytes = new byte[25];
    int length = Math.min(significant.length, bytes.length);
    System.arraycopy(
        significant, significant.length - length, bytes, bytes.length - length, length);
    byte[] digest = sha256(sha256(Arrays.copyOf(bytes, 21)));
    return Arrays.equals(Arrays.copyOf(digest, 4), Arrays.copyOfRange(bytes, 21, 25));
  }

  /** BIP 173 and BIP 350, of an address that begins with {@code bc1}. */
  static boolean isBech32(String text) {
    int[] values = new int[text.length() + 2];
    int count = 0;
    for (int value : new int[] {'b' >> 5, 'c' >> 5, 0, 'b' & 31, 'c' & 31}) {
      values[count++] = value;
    }
    for (int i = 3; i < text.length(); i++) {
      values[count++] = BECH32.indexOf(text.charAt(i));
    }
    return bech32(values) == (values[5] == 0 ? BECH32_OF_0 : BECH32M);
  }

  /**
   * The OrderlyID specification 0.1 section 6: 20 bits of Bech32 after the last hyphen, if there is
   * one.
   */
  static boolean isOrderlyId(String text) {
    int hyphen = text.lastIndexOf('-');
    if (hyphen < 0) {
      return true;
    }
    int prefix = text.indexOf('_') + 1;
    int[] values = new int[prefix + 1 + hyphen + 4];
    for (int i = 0; i < prefix; i++) {
      values[i] = text.charAt(i) >> 5;
      values[prefix + 1 + i] = text.charAt(i) & 31;
    }
    for (int i = prefix; i < hyphen; i++) {
      values[prefix + 1 + i] = Alphabet.CROCKFORD.value(text.charAt(i));
    }
    int checksum = (bech32(values) ^ BECH32_OF_0) & 0xFFFFF;
    return checksum == Alphabet.CROCKFORD.number(text, hyphen + 1, text.length());
  }

  /** The remainder of BIP 173. */
  private static int bech32(int[] values) {
    int checksum = 1;
    for (int value : values) {
      int top = checksum >>> 25;
      checksum = ((checksum & 0x1ffffff) << 5) ^ value;
      for (int i = 0; i < BECH32_GENERATOR.length; i++) {
        checksum ^= ((top >>> i) & 1) == 1 ? BECH32_GENERATOR[i] : 0;
      }
    }
    return checksum;
  }

  /** The digits of an H3 cell: one for each resolution, then 7 for those that are not used. */
  static boolean isH3Cell(String text) {
    long bits = Long.parseLong(text, 16);
    int resolution = (int) ((bits >>> 52) & 0xF);
    for (int i = 1; i <= 15; i++) {
      boolean isUnused = ((bits >>> (3 * (15 - i))) & 7) == 7;
      if (isUnused != i > resolution) {
        return false;
      }
    }
    return true;
  }

  private static byte[] sha256(byte[] bytes) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(bytes);
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every JDK has SHA-256", e);
    }
  }

  private static int[] digits(String text) {
    return text.chars().filter(c -> c >= '0' && c <= '9').map(c -> c - '0').toArray();
  }
}
