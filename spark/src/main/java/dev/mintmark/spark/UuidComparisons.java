package dev.mintmark.spark;

import static dev.mintmark.spark.UuidFunction.UUID_BYTES;
import static dev.mintmark.spark.UuidFunction.UUID_LOWER;
import static dev.mintmark.spark.UuidFunction.UUID_TEXT;
import static dev.mintmark.spark.UuidFunction.UUID_UPPER;
import static dev.mintmark.spark.UuidFunction.UUID_UPPER_END;

import java.util.ArrayList;
import java.util.List;
import org.apache.spark.sql.catalyst.expressions.Alias;
import org.apache.spark.sql.catalyst.expressions.And;
import org.apache.spark.sql.catalyst.expressions.BinaryComparison;
import org.apache.spark.sql.catalyst.expressions.Cast;
import org.apache.spark.sql.catalyst.expressions.EqualNullSafe;
import org.apache.spark.sql.catalyst.expressions.EqualTo;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.GreaterThan;
import org.apache.spark.sql.catalyst.expressions.GreaterThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.In;
import org.apache.spark.sql.catalyst.expressions.InSubquery;
import org.apache.spark.sql.catalyst.expressions.LessThan;
import org.apache.spark.sql.catalyst.expressions.LessThanOrEqual;
import org.apache.spark.sql.catalyst.expressions.Lower;
import org.apache.spark.sql.catalyst.expressions.NamedExpression;
import org.apache.spark.sql.catalyst.expressions.Or;
import org.apache.spark.sql.catalyst.plans.logical.LogicalPlan;
import org.apache.spark.sql.catalyst.plans.logical.Project;
import org.apache.spark.sql.catalyst.rules.Rule;
import org.apache.spark.sql.types.DataTypes;
import org.apache.spark.sql.types.StringType;
import scala.Option;
import scala.collection.immutable.Seq;

/**
 * A rule of the analyzer. A function returns a UUID as text in lower case; the column that a query
 * compares with it may be 16 bytes, or text in upper case. Spark would compare the bytes with those
 * of the text, without an error, and find no row. This rule compares the same UUID in the same
 * form.
 *
 * <p>In these expressions {@code uuid} is the result of a function, or a column that {@link
 * UuidLineage} traces to one.
 *
 * <pre>
 *   bytes = uuid        bytes = uuid_bytes(uuid)          any comparison, and in
 *   text = uuid         text in (lower, upper)            if uuid is a constant
 *   text = uuid         lower(text) = uuid                otherwise
 *   text &lt; uuid         text &lt; lower and lower(text) &lt; lower                              also &lt;=
 *   text &gt; uuid         (text &gt; lower or text in upper case &gt; upper) and lower(text) &gt; lower   also &gt;=
 * </pre>
 *
 * <p>The conditions on {@code text} itself are pushed down to the files of a table. They select
 * every text whose letters are all lower case or all upper case, and skip as much of a sorted table
 * in lower case as a comparison with the constant would.
 *
 * <p>Thread-safe.
 */
final class UuidComparisons extends Rule<LogicalPlan> {
  @Override
  public LogicalPlan apply(LogicalPlan plan) {
    if (!UuidLineage.isIn(plan)) {
      return plan;
    }
    UuidLineage lineage = new UuidLineage(plan);
    return plan.resolveOperatorsUp(
        Plans.of(
            operator ->
                operator.childrenResolved()
                    ? operator.transformExpressionsUp(
                        Plans.of(each -> rewritten(each, operator, lineage)))
                    : operator));
  }

  private static Expression rewritten(
      Expression expression, LogicalPlan operator, UuidLineage lineage) {
    if (!expression.childrenResolved()) {
      return expression;
    }
    Sides sides = new Sides(operator, lineage);
    if (expression instanceof BinaryComparison comparison) {
      return sides.compared(comparison);
    }
    if (expression instanceof In in) {
      return sides.in(in);
    }
    return expression instanceof InSubquery in ? sides.inSubquery(in) : expression;
  }

  /** The sides of the comparisons in an operator. */
  private record Sides(LogicalPlan operator, UuidLineage lineage) {
    Expression compared(BinaryComparison comparison) {
      Expression left = withoutCast(comparison.left());
      Expression right = withoutCast(comparison.right());
      if (isUuid(left) == isUuid(right)) {
        return comparison;
      }
      return isUuid(right)
          ? compared(comparison, comparison, left, right)
          : compared(comparison, turned(comparison, left, right), right, left);
    }

    private static Expression compared(
        BinaryComparison original, BinaryComparison comparison, Expression id, Expression uuid) {
      if (isBytes(id)) {
        return like(comparison, id, FunctionCall.of(UUID_BYTES, uuid));
      }
      if (!isText(id)) {
        return original;
      }
      Expression residual = like(comparison, new Lower(id), uuid);
      if (!uuid.foldable() || comparison instanceof EqualNullSafe) {
        return residual;
      }
      Expression lower = FunctionCall.of(UUID_LOWER, uuid);
      Expression upper = FunctionCall.of(UUID_UPPER, uuid);
      if (comparison instanceof EqualTo) {
        return new In(id, ScalaSeq.of(List.of(lower, upper)));
      }
      Expression asLower = like(comparison, id, lower);
      boolean isUpTo = comparison instanceof LessThan || comparison instanceof LessThanOrEqual;
      Expression selected =
          isUpTo
              ? asLower
              : new Or(
                  asLower,
                  new And(
                      like(comparison, id, upper),
                      new LessThan(id, FunctionCall.of(UUID_UPPER_END, uuid))));
      return new And(selected, residual);
    }

    Expression in(In in) {
      Expression value = withoutCast(in.value());
      List<Expression> list = ScalaSeq.toList(in.list()).stream().map(Sides::withoutCast).toList();
      if (isUuid(value)) {
        return list.stream().anyMatch(each -> !isUuid(each) && (isBytes(each) || isText(each)))
            ? anyEqual(value, list)
            : in;
      }
      if (list.stream().noneMatch(this::isUuid)) {
        return in;
      }
      if (isBytes(value)) {
        return new In(value, ScalaSeq.of(list.stream().map(Sides::bytes).toList()));
      }
      return isText(value) ? inTexts(value, list) : in;
    }

    private Expression anyEqual(Expression value, List<Expression> list) {
      return list.stream()
          .map(each -> compared(new EqualTo(value, each)))
          .reduce(Or::new)
          .orElseThrow();
    }

    private Expression inTexts(Expression value, List<Expression> list) {
      List<Expression> values = new ArrayList<>();
      List<Expression> variables = new ArrayList<>();
      for (Expression each : list) {
        if (!isUuid(each)) {
          values.add(each);
        } else if (each.foldable()) {
          values.add(FunctionCall.of(UUID_LOWER, each));
          values.add(FunctionCall.of(UUID_UPPER, each));
        } else {
          variables.add(each);
        }
      }
      Expression inValues = new In(value, ScalaSeq.of(values));
      if (variables.isEmpty()) {
        return inValues;
      }
      Expression inVariables = new In(new Lower(value), ScalaSeq.of(variables));
      return values.isEmpty() ? inVariables : new Or(inValues, inVariables);
    }

    /** Compares texts in lower case where one of two columns is the result of a function. */
    Expression inSubquery(InSubquery in) {
      LogicalPlan plan = in.query().plan();
      Project project = plan instanceof Project top ? top : new Project(columns(plan), plan);
      List<Expression> values = new ArrayList<>(ScalaSeq.toList(in.values()));
      List<NamedExpression> columns = new ArrayList<>(ScalaSeq.toList(project.projectList()));
      boolean isRewritten = false;
      for (int i = 0; i < values.size(); i++) {
        Expression value = withoutCast(values.get(i));
        NamedExpression column = columns.get(i);
        Expression source =
            withoutCast(column instanceof Alias alias ? alias.child() : (Expression) column);
        boolean isUuid = isUuid(value);
        Expression other = isUuid ? source : value;
        if (isUuid != lineage.isUuid(source, project) && (isBytes(other) || isText(other))) {
          values.set(i, isUuid ? value : text(value));
          columns.set(i, named(isUuid ? text(source) : source, column));
          isRewritten = true;
        }
      }
      return isRewritten
          ? new InSubquery(
              ScalaSeq.of(values),
              in.query().withNewPlan(new Project(ScalaSeq.of(columns), project.child())))
          : in;
    }

    private static Seq<NamedExpression> columns(LogicalPlan plan) {
      return ScalaSeq.of(ScalaSeq.toList(plan.output()));
    }

    private static NamedExpression named(Expression value, NamedExpression column) {
      return new Alias(
          value,
          column.name(),
          NamedExpression.newExprId(),
          ScalaSeq.of(List.of()),
          Option.empty(),
          ScalaSeq.of(List.of()));
    }

    private boolean isUuid(Expression value) {
      return lineage.isUuid(value, operator);
    }

    private static boolean isBytes(Expression value) {
      return value.dataType().equals(DataTypes.BinaryType);
    }

    /** Returns whether a value is a text whose letters are compared and may be in upper case. */
    private static boolean isText(Expression value) {
      return value.dataType().equals(DataTypes.StringType)
          && !(value instanceof Lower)
          && !(value instanceof FunctionCall);
    }

    /** Returns the characters of a UUID in lower case. */
    private static Expression text(Expression value) {
      return isBytes(value) ? FunctionCall.of(UUID_TEXT, value) : new Lower(value);
    }

    /** Returns the 16 bytes of a UUID, of which a list of binary values may have the characters. */
    private static Expression bytes(Expression value) {
      return isBytes(value) ? value : FunctionCall.of(UUID_BYTES, value);
    }

    /** Returns a value without the cast by which Spark makes the types of two sides equal. */
    private static Expression withoutCast(Expression value) {
      boolean isImplicit =
          value instanceof Cast cast
              && cast.getTagValue(Cast.USER_SPECIFIED_CAST()).isEmpty()
              && isTextOrBytes(cast)
              && isTextOrBytes(cast.child());
      return isImplicit ? ((Cast) value).child() : value;
    }

    private static boolean isTextOrBytes(Expression value) {
      return value.dataType() instanceof StringType || isBytes(value);
    }

    /** Returns the comparison of other sides. */
    private static Expression like(BinaryComparison comparison, Expression left, Expression right) {
      return comparison.withNewChildren(ScalaSeq.of(List.of(left, right)));
    }

    /** Returns the same comparison with the sides in reverse order. */
    private static BinaryComparison turned(
        BinaryComparison comparison, Expression uuid, Expression id) {
      if (comparison instanceof LessThan) {
        return new GreaterThan(id, uuid);
      }
      if (comparison instanceof LessThanOrEqual) {
        return new GreaterThanOrEqual(id, uuid);
      }
      if (comparison instanceof GreaterThan) {
        return new LessThan(id, uuid);
      }
      return comparison instanceof GreaterThanOrEqual ? new LessThanOrEqual(id, uuid) : comparison;
    }
  }
}
