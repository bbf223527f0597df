package dev.mintmark.spark;

import dev.mintmark.warehouse.WarehouseFunction;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import scala.Function1;
import scala.Tuple3;
import scala.runtime.BoxedUnit;

/**
 * Gives a Spark session every {@link WarehouseFunction}, and its sibling that answers null, by the
 * names that they have in every warehouse: {@code ulid_text(id)}. They are expressions of Spark's
 * own kind, compiled into its queries: nothing is boxed, and no value is turned into an object of
 * Java and back.
 *
 * <pre>
 *   spark-submit --jars mintmark-spark.jar \
 *     --conf spark.sql.extensions=dev.mintmark.spark.MintmarkExtensions ...
 * </pre>
 *
 * <p>The setting counts when the first session is made. {@link MintmarkFunctions} has the functions
 * for Java and Scala.
 */
public final class MintmarkExtensions implements Function1<SparkSessionExtensions, BoxedUnit> {
  /** For Spark, which makes one by name. */
  public MintmarkExtensions() {}

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    for (SparkFunction function : SparkFunction.all()) {
      extensions.injectFunction(
          new Tuple3<>(
              new FunctionIdentifier(function.label()), FunctionHelp.of(function), function::call));
    }
    return BoxedUnit.UNIT;
  }
}
