package dev.mintmark.spark;

import java.io.Serializable;
import java.util.Arrays;
import java.util.stream.Collectors;
import org.apache.spark.sql.types.AbstractDataType;
import org.apache.spark.sql.types.DataType;
import scala.collection.immutable.Seq;

/** A function that a {@link FunctionCall} calls: the method of the same name of RowFunctions. */
interface RowFunction extends Serializable {
  /** Returns the name in plans: {@code try_ulid_text}. */
  String label();

  /** Returns the types of the arguments. */
  Seq<AbstractDataType> inputTypes();

  /** Returns the type of the result. */
  DataType resultType();

  /** Returns whether the result for a malformed argument is null, not an error. */
  boolean isTry();

  /**
   * Returns whether the result is the 36 characters of a UUID, in lower case. A comparison with
   * such a text is one of {@link UuidComparisons}.
   */
  boolean isUuid();

  /** Returns whether plans and the headers of columns show the call, not only its argument. */
  default boolean isShown() {
    return true;
  }

  /** Returns the name of its method in {@code RowFunctions}: {@code tryUlidText}. */
  default String methodName() {
    String capitalized =
        Arrays.stream(label().split("_", -1))
            .map(word -> Character.toUpperCase(word.charAt(0)) + word.substring(1))
            .collect(Collectors.joining());
    return Character.toLowerCase(capitalized.charAt(0)) + capitalized.substring(1);
  }
}
