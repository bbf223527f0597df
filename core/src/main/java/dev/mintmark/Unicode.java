package dev.mintmark;

/** Text that UTF-8 can encode: every half of a surrogate pair has its other half. */
final class Unicode {
  private Unicode() {}

  static boolean isWellFormed(String text) {
    for (int i = 0; i < text.length(); i++) {
      if (Character.isSurrogate(text.charAt(i))) {
        if (!Character.isSupplementaryCodePoint(text.codePointAt(i))) {
          return false;
        }
        i++;
      }
    }
    return true;
  }
}
