package dev.mintmark.jackson2;

import com.fasterxml.jackson.databind.JsonMappingException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Where in a JSON document Jackson found an error, as a pointer in the form of a URI fragment (RFC
 * 6901): {@code #/order/items/1/payment}. The path that Jackson's own message has names Java
 * classes, which clients should not see.
 */
public final class JsonPointers {
  /** What RFC 3986 allows in a fragment, without the escapes of the pointer. */
  private static final String PLAIN = "-._!$&'()*+,;=:@?";

  private JsonPointers() {}

  /** Returns the pointer of an exception: {@code #} if it concerns the whole document. */
  public static String of(JsonMappingException exception) {
    StringBuilder pointer = new StringBuilder("#");
    for (JsonMappingException.Reference step : exception.getPath()) {
      String name = step.getFieldName();
      if (name != null || step.getIndex() >= 0) {
        pointer.append('/');
        append(pointer, name, step.getIndex());
      }
    }
    return pointer.toString();
  }

  private static void append(StringBuilder pointer, @Nullable String name, int index) {
    if (name == null) {
      pointer.append(index);
      return;
    }
    for (byte octet : name.getBytes(StandardCharsets.UTF_8)) {
      char character = (char) (octet & 0xFF);
      switch (character) {
        case '~' -> pointer.append("~0");
        case '/' -> pointer.append("~1");
        default -> {
          if (isPlain(character)) {
            pointer.append(character);
          } else {
            pointer.append("%%%02X".formatted((int) character));
          }
        }
      }
    }
  }

  private static boolean isPlain(char character) {
    return (character >= 'a' && character <= 'z')
        || (character >= 'A' && character <= 'Z')
        || (character >= '0' && character <= '9')
        || PLAIN.indexOf(character) >= 0;
  }
}
