package dev.mintmark.spark;

import dev.mintmark.warehouse.WarehouseFunction;
import dev.mintmark.warehouse.WarehouseFunction.ValueType;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.errors.QueryCompilationErrors;
import org.apache.spark.sql.internal.types.StringTypeWithCollation;
import org.apache.spark.sql.types.AbstractDataType;
import org.apache.spark.sql.types.DataType;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.TypeCollection;
import scala.collection.immutable.Seq;
import scala.util.Failure;

/**
 * A {@link WarehouseFunction}, or its {@code try_} variant, as a function of Spark: its name, its
 * types and its calls.
 */
record SparkFunction(WarehouseFunction function, boolean isTry) implements RowFunction {
  /** Text in any collation, because identifiers are read byte by byte. */
  private static final AbstractDataType TEXT = StringTypeWithCollation.apply(true, true, true);

  /** A UUID: 36 characters, or 16 bytes, as Spark reads the UUIDs of Parquet. */
  private static final AbstractDataType UUID =
      TypeCollection.apply(ScalaSeq.of(List.of(TEXT, DataTypes.BinaryType)));

  /** Returns all functions, each followed by its {@code try_} variant. */
  static List<SparkFunction> all() {
    return Arrays.stream(WarehouseFunction.values())
        .flatMap(
            function ->
                function.hasTry()
                    ? Stream.of(
                        new SparkFunction(function, false), new SparkFunction(function, true))
                    : Stream.of(new SparkFunction(function, false)))
        .toList();
  }

  @Override
  public String label() {
    return isTry ? function.tryName() : function.label();
  }

  @Override
  public DataType resultType() {
    return switch (function.result()) {
      case TEXT, UUID -> DataTypes.StringType;
      case BIGINT -> DataTypes.LongType;
      case INTEGER -> DataTypes.IntegerType;
      case TIME -> DataTypes.TimestampType;
    };
  }

  @Override
  public boolean isUuid() {
    return function.result() == ValueType.UUID;
  }

  @Override
  public Seq<AbstractDataType> inputTypes() {
    return ScalaSeq.of(
        function.parameters().stream().map(parameter -> accepted(parameter.type())).toList());
  }

  /**
   * Returns a call with the arguments of a query. Fails with the error of Spark if their number is
   * wrong.
   */
  Expression call(Seq<Expression> arguments) {
    int expected = function.parameters().size();
    if (arguments.length() != expected) {
      // A checked exception in Java, but not in Scala, where Spark catches it.
      Throwable refusal =
          QueryCompilationErrors.wrongNumArgsError(
              label(), ScalaSeq.of(List.of(expected)), arguments.length(), "", "", "");
      return new Failure<Expression>(refusal).get();
    }
    return new FunctionCall(
        this,
        ScalaSeq.of(
            IntStream.range(0, expected).mapToObj(i -> argument(i, arguments.apply(i))).toList()));
  }

  private Expression argument(int place, Expression argument) {
    return switch (function.parameters().get(place).type()) {
      case BIGINT -> FunctionCall.of(WholeNumber.WHOLE_NUMBER, argument);
      case INTEGER -> FunctionCall.of(WholeNumber.WHOLE_WIDTH, argument);
      case TEXT, UUID, TIME -> argument;
    };
  }

  private static AbstractDataType accepted(ValueType type) {
    return switch (type) {
      case TEXT -> TEXT;
      case UUID -> UUID;
      case BIGINT -> DataTypes.LongType;
      case INTEGER -> DataTypes.IntegerType;
      case TIME -> DataTypes.TimestampType;
    };
  }
}
