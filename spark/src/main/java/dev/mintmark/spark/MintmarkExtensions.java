package dev.mintmark.spark;

import dev.mintmark.warehouse.WarehouseFunction;
import org.apache.spark.sql.SparkSessionExtensions;
import org.apache.spark.sql.catalyst.FunctionIdentifier;
import scala.Function1;
import scala.Tuple3;
import scala.runtime.BoxedUnit;

/**
 * A session extension that adds every {@link WarehouseFunction} and its {@code try_} variant to a
 * Spark session, under the names that they have in every warehouse: {@code ulid_text(id)}. They are
 * native expressions, compiled into queries: nothing is boxed, and no value is converted to a Java
 * object and back.
 *
 * <pre>
 *   spark-submit --jars mintmark-spark.jar \
 *     --conf spark.sql.extensions=dev.mintmark.spark.MintmarkExtensions ...
 * </pre>
 *
 * <p>It also adds a rule to the analyzer, with which comparisons of such a function are right for
 * UUIDs of any type and letter case: {@link UuidComparisons}.
 *
 * <p>Spark reads the setting when it creates the first session. {@link MintmarkFunctions} has the
 * functions for Java and Scala.
 */
public final class MintmarkExtensions implements Function1<SparkSessionExtensions, BoxedUnit> {
  /** Called by Spark, which creates the extension by its class name. */
  public MintmarkExtensions() {}

  @Override
  public BoxedUnit apply(SparkSessionExtensions extensions) {
    for (SparkFunction function : SparkFunction.all()) {
      extensions.injectFunction(
          new Tuple3<>(
              new FunctionIdentifier(function.label()), FunctionHelp.of(function), function::call));
    }
    extensions.injectResolutionRule(session -> new UuidComparisons());
    return BoxedUnit.UNIT;
  }
}
