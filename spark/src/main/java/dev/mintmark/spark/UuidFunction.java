package dev.mintmark.spark;

import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.types.AbstractDataType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import scala.collection.immutable.Seq;

/** The functions of {@link UuidComparisons}. Queries cannot call them. */
@SuppressWarnings("ImmutableEnumChecker") // Types of Spark are immutable.
enum UuidFunction implements RowFunction {
  /** The 16 bytes of the 36 characters of a UUID. */
  UUID_BYTES(DataTypes.StringType, DataTypes.BinaryType, false),
  /** The 36 characters of 16 bytes, in lower case; null for another number of bytes. */
  UUID_TEXT(DataTypes.BinaryType, DataTypes.StringType, true),
  /** A UUID in lower case. */
  UUID_LOWER(DataTypes.StringType, DataTypes.StringType, false),
  /** A UUID in upper case. */
  UUID_UPPER(DataTypes.StringType, DataTypes.StringType, false),
  /**
   * A text between the UUIDs in upper case that are not less than a UUID in lower case, and those
   * in lower case: the digits before the first letter, and G.
   */
  UUID_UPPER_END(DataTypes.StringType, DataTypes.StringType, false);

  private final DataType argument;
  private final DataType result;
  private final boolean isTry;

  UuidFunction(DataType argument, DataType result, boolean isTry) {
    this.argument = argument;
    this.result = result;
    this.isTry = isTry;
  }

  @Override
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public Seq<AbstractDataType> inputTypes() {
    return ScalaSeq.of(List.of(argument));
  }

  @Override
  public DataType resultType() {
    return result;
  }

  @Override
  public boolean isTry() {
    return isTry;
  }

  @Override
  public boolean isUuid() {
    return false;
  }
}
