package dev.mintmark.spark;

import java.util.List;
import java.util.Optional;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.Attribute;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.Coalesce;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.PlanExpression;
import org.apache.spark.sql.catalyst.expressions.ScalarSubquery;
import org.apache.spark.sql.catalyst.expressions.aggregate.AggregateExpression;
import org.apache.spark.sql.catalyst.expressions.aggregate.Max;
import org.apache.spark.sql.catalyst.expressions.aggregate.Min;
import org.apache.spark.sql.catalyst.plans.logical.CTERelationDef;
import org.apache.spark.sql.catalyst.plans.logical.CTERelationRef;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.types.DataTypes;

/**
 * Says which expressions of a plan are the text of a UUID from a Mintmark function: the call, or a
 * column of a subquery or a view whose value is such a call.
 */
final class UuidLineage {
  private final LogicalPlan root;

  UuidLineage(LogicalPlan root) {
    this.root = root;
  }

  /** Returns whether a plan or a subquery in it calls a function whose result is a UUID. */
  static boolean isIn(LogicalPlan plan) {
    return plan.exists(
        each -> ScalaSeq.toList(each.expressions()).stream().anyMatch(UuidLineage::calls));
  }

  private static boolean calls(Expression expression) {
    return expression.exists(
        each ->
            isCall(each)
                || (each instanceof PlanExpression<?> subquery
                    && subquery.plan() instanceof LogicalPlan plan
                    && isIn(plan)));
  }

  private static boolean isCall(Expression expression) {
    return expression instanceof FunctionCall call && call.function().isUuid();
  }

  /**
   * Returns whether a value is the text of a UUID from a function.
   *
   * @param plan the operator that computes the value
   */
  boolean isUuid(Expression value, LogicalPlan plan) {
    if (isCall(value)) {
      return true;
    }
    if (value instanceof Attribute column) {
      return definitions(column, plan).anyMatch(each -> isUuid(each.value, each.plan));
    }
    if (value instanceof ScalarSubquery subquery) {
      return isUuid(subquery.plan().output().apply(0), subquery.plan());
    }
    return isPassedOn(value)
        && ScalaSeq.toList(value.children()).stream().anyMatch(each -> isUuid(each, plan));
  }

  /** Returns whether the value of an expression is that of one of its children. */
  private static boolean isPassedOn(Expression value) {
    return value instanceof Alias
        || value instanceof Coalesce
        || value instanceof AggregateExpression
        || value instanceof Min
        || value instanceof Max
        || (value instanceof Cast && value.dataType().equals(DataTypes.StringType));
  }

  /** An expression and its operator. */
  private record Located(Expression value, LogicalPlan plan) {}

  /** Returns the expressions whose value is the value of a column. */
  private Stream<Located> definitions(Attribute column, LogicalPlan plan) {
    Stream<Located> own =
        ScalaSeq.toList(plan.expressions()).stream()
            .filter(each -> each instanceof Alias alias && alias.exprId().equals(column.exprId()))
            .map(each -> new Located(((Alias) each).child(), plan));
    Stream<Located> inQuery =
        plan instanceof CTERelationRef reference
            ? definition(column, reference).stream()
            : Stream.empty();
    return Stream.concat(
        Stream.concat(own, inQuery),
        ScalaSeq.toList(plan.children()).stream().flatMap(each -> definitions(column, each)));
  }

  /** Returns the column of a query of {@code with} to which a column of its use refers. */
  private Optional<Located> definition(Attribute column, CTERelationRef reference) {
    List<Attribute> columns = ScalaSeq.toList(reference.output());
    return IntStream.range(0, columns.size())
        .filter(i -> columns.get(i).exprId().equals(column.exprId()))
        .boxed()
        .findFirst()
        .flatMap(
            i ->
                ScalaSeq.toList(root.collect(Plans.of(each -> each))).stream()
                    .filter(
                        each ->
                            each instanceof CTERelationDef query
                                && query.id() == reference.cteId()
                                && query.resolved())
                    .findFirst()
                    .map(each -> new Located(each.output().apply(i), each)));
  }
}
