package dev.mintmark.postgres.search;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;

/**
 * All numbers of one length whose digits start with the same digits. A number is padded with zeros
 * to the width of its sequence, and may be longer:
 *
 * <pre>
 *   0001 at width 6   from     100 to     199
 *   1    at width 6   from  100000 to  199999, from 1000000 to 1999999, and so on to 19 digits
 * </pre>
 *
 * @param first the least number
 * @param last the greatest number
 */
record SequenceRange(Long first, Long last) implements BeginningRange {
  private static final Pattern DIGITS = Pattern.compile("[0-9]{1,19}");
  private static final BigInteger MAX = BigInteger.valueOf(Long.MAX_VALUE);
  private static final int LENGTH_MAX = 19;

  /**
   * Returns a range for each length of a number; none unless there are 1 to 19 digits with which a
   * number can start.
   *
   * @param width the minimum number of digits, 0 to 18
   */
  static List<SequenceRange> ofDigits(String digits, int width) {
    List<SequenceRange> ranges = new ArrayList<>();
    if (!DIGITS.matcher(digits).matches()) {
      return ranges;
    }
    int padded = Math.max(width, 1);
    for (int length = Math.max(padded, digits.length()); length <= LENGTH_MAX; length++) {
      if (length > padded && digits.startsWith("0")) {
        break; // Only numbers of the width are padded.
      }
      BigInteger step = BigInteger.TEN.pow(length - digits.length());
      BigInteger first = new BigInteger(digits).multiply(step);
      if (first.compareTo(MAX) <= 0) {
        BigInteger last = first.add(step).subtract(BigInteger.ONE).min(MAX);
        ranges.add(new SequenceRange(first.longValueExact(), last.longValueExact()));
      }
    }
    return ranges;
  }
}
