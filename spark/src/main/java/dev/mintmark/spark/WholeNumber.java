package dev.mintmark.spark;

import java.util.List;
import java.util.Locale;
import org.apache.spark.sql.types.AbstractDataType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.DecimalType$;
import org.apache.spark.sql.types.TypeCollection;
import scala.collection.immutable.Seq;

/**
 * Makes arguments whole numbers. Spark would cut a fraction off when it casts an argument to the
 * type of a parameter; these functions take the types that have one, and fail.
 */
@SuppressWarnings("ImmutableEnumChecker") // Types of Spark are immutable.
enum WholeNumber implements RowFunction {
  /** The number of {@code prefixed}. */
  WHOLE_NUMBER(DataTypes.LongType),
  /** The width of {@code prefixed}. */
  WHOLE_WIDTH(DataTypes.IntegerType);

  /** Types not listed, such as strings, are cast to the first that they can be cast to. */
  private static final AbstractDataType NUMBER =
      TypeCollection.apply(
          ScalaSeq.of(
              List.of(
                  DecimalType$.MODULE$,
                  DataTypes.LongType,
                  DataTypes.IntegerType,
                  DataTypes.DoubleType,
                  DataTypes.FloatType)));

  private final DataType result;

  WholeNumber(DataType result) {
    this.result = result;
  }

  @Override
  public String label() {
    return name().toLowerCase(Locale.ROOT);
  }

  @Override
  public Seq<AbstractDataType> inputTypes() {
    return ScalaSeq.of(List.of(NUMBER));
  }

  @Override
  public DataType resultType() {
    return result;
  }

  @Override
  public boolean isTry() {
    return false;
  }

  @Override
  public boolean isUuid() {
    return false;
  }

  @Override
  public boolean isShown() {
    return false;
  }
}
