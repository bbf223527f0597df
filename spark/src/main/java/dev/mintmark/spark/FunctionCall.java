package dev.mintmark.spark;

import dev.mintmark.spark.internal.RowFunctions;
import java.io.Serializable;
import java.lang.reflect.InvocationTargetException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;
import org.apache.spark.sql.catalyst.InternalRow;
import org.apache.spark.sql.catalyst.analysis.TypeCheckResult;
import org.apache.spark.sql.catalyst.expressions.Expression;
import org.apache.spark.sql.catalyst.expressions.ImplicitCastInputTypes;
import org.apache.spark.sql.catalyst.expressions.codegen.Block;
import org.apache.spark.sql.catalyst.expressions.codegen.CodeGenerator;
import org.apache.spark.sql.catalyst.expressions.codegen.CodegenContext;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprCode;
import org.apache.spark.sql.catalyst.expressions.codegen.ExprValue;
import org.apache.spark.sql.catalyst.expressions.codegen.FalseLiteral$;
import org.apache.spark.sql.types.AbstractDataType;
import org.apache.spark.sql.types.DataType;
import org.jspecify.annotations.Nullable;
import scala.StringContext;
import scala.collection.Iterator;
import scala.collection.immutable.ArraySeq;
import scala.collection.immutable.IndexedSeq;
import scala.collection.immutable.Seq;

/**
 * A call of a {@link RowFunction} in a query. The result is null if an argument is null, and a
 * constant if all arguments are constants. Generated code directly calls the method of {@link
 * RowFunctions} with the name of the function.
 */
final class FunctionCall extends Expression implements ImplicitCastInputTypes, Serializable {
  private static final long serialVersionUID = 1L;

  private final RowFunction function;
  private final ArraySeq<Expression> arguments;

  /** Public, because Spark writes plans as JSON with the parameters of the public constructor. */
  public FunctionCall(RowFunction function, ArraySeq<Expression> arguments) {
    this.function = function;
    this.arguments = arguments;
  }

  /** Returns a call with one argument. */
  static FunctionCall of(RowFunction function, Expression argument) {
    return new FunctionCall(function, ScalaSeq.of(List.of(argument)));
  }

  RowFunction function() {
    return function;
  }

  /** Returns the name in plans and in the headers of columns. */
  @Override
  public String prettyName() {
    return function.label();
  }

  @Override
  public String nodeName() {
    return function.label();
  }

  @Override
  public String sql() {
    return function.isShown() ? super.sql() : arguments.apply(0).sql();
  }

  @Override
  public String toString() {
    return function.isShown() ? super.toString() : arguments.apply(0).toString();
  }

  /** Returns the parts of the text of the call: only the arguments. */
  @Override
  public Iterator<Object> stringArgs() {
    return arguments.<Object>map(argument -> argument).iterator();
  }

  @Override
  public Seq<Expression> children() {
    return arguments;
  }

  @Override
  public Expression withNewChildrenInternal(IndexedSeq<Expression> newChildren) {
    return new FunctionCall(function, ScalaSeq.copyOf(newChildren));
  }

  @Override
  public Seq<AbstractDataType> inputTypes() {
    return function.inputTypes();
  }

  /** Overridden because the check of {@link Expression} accepts everything. */
  @Override
  public TypeCheckResult checkInputDataTypes() {
    return ImplicitCastInputTypes.super.checkInputDataTypes();
  }

  @Override
  public DataType dataType() {
    return function.resultType();
  }

  @Override
  public boolean nullable() {
    return function.isTry() || arguments().anyMatch(Expression::nullable);
  }

  @Override
  public boolean nullIntolerant() {
    return true;
  }

  @Override
  public boolean foldable() {
    return arguments().allMatch(Expression::foldable);
  }

  @Override
  public boolean throwable() {
    return !function.isTry() || super.throwable();
  }

  @Override
  public @Nullable Object eval(@Nullable InternalRow row) {
    Object[] values = new Object[arguments.length()];
    for (int i = 0; i < values.length; i++) {
      Object value = arguments.apply(i).eval(row);
      if (value == null) {
        return null;
      }
      values[i] = value;
    }
    Object result = invoke(values);
    return isNull(result) ? null : result;
  }

  @Override
  public ExprCode doGenCode(CodegenContext context, ExprCode result) {
    List<ExprCode> inputs = arguments().map(argument -> argument.genCode(context)).toList();
    Block prepared = inputs.stream().map(ExprCode::code).reduce(Block::$plus).orElseThrow();
    ExprValue isNull = nullable() ? result.isNull() : FalseLiteral$.MODULE$;
    Block declared =
        code(
            "# # = #;\n",
            CodeGenerator.javaType(dataType()),
            result.value(),
            CodeGenerator.defaultValue(dataType(), false));
    Block called = function.isTry() ? tried(result, inputs) : required(context, result, inputs);
    Block guarded =
        nullable()
            ? code(
                "boolean # = #;\nif (!#) {\n#}\n",
                isNull,
                joined(inputs, ExprCode::isNull, " || "),
                isNull,
                called)
            : called;
    return result.copy(prepared.$plus(declared).$plus(guarded), isNull, result.value());
  }

  @Override
  public int productArity() {
    return 2;
  }

  @Override
  public Object productElement(int n) {
    return n == 0 ? function : arguments;
  }

  @Override
  public boolean canEqual(Object other) {
    return other instanceof FunctionCall;
  }

  @Override
  public boolean equals(@Nullable Object o) {
    return o instanceof FunctionCall call
        && call.function.equals(function)
        && call.arguments.equals(arguments);
  }

  @Override
  public int hashCode() {
    return Objects.hash(function, arguments);
  }

  /** Calls the method for a constant, and for a query without generated code. */
  private @Nullable Object invoke(Object[] values) {
    Class<?>[] types =
        arguments().map(each -> CodeGenerator.javaClass(each.dataType())).toArray(Class<?>[]::new);
    try {
      return RowFunctions.class.getMethod(function.methodName(), types).invoke(null, values);
    } catch (InvocationTargetException e) {
      throw e.getCause() instanceof IllegalArgumentException refusal
          ? RowFunctions.refused(refusal)
          : new IllegalStateException(e);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException(function.label() + " has no method", e);
    }
  }

  /** Returns whether a result of {@link RowFunctions} stands for null. */
  private boolean isNull(@Nullable Object result) {
    return function.isTry() && Objects.equals(result, RowFunctions.NO_NUMBER);
  }

  private Block tried(ExprCode result, List<ExprCode> inputs) {
    boolean isNumber = CodeGenerator.isPrimitiveType(dataType());
    return code(
        "# = #;\n# = # == #;\n",
        result.value(),
        call(inputs),
        result.isNull(),
        result.value(),
        isNumber ? RowFunctions.NO_NUMBER + "L" : "null");
  }

  private Block required(CodegenContext context, ExprCode result, List<ExprCode> inputs) {
    String refusal = context.freshName("refusal");
    return code(
        """
        try {
          # = #;
        } catch (IllegalArgumentException #) {
          throw #.refused(#);
        }
        """,
        result.value(),
        call(inputs),
        refusal,
        RowFunctions.class.getName(),
        refusal);
  }

  private Block call(List<ExprCode> inputs) {
    return code(
        "#.#(#)",
        RowFunctions.class.getName(),
        function.methodName(),
        joined(inputs, ExprCode::value, ", "));
  }

  private static Block joined(
      List<ExprCode> inputs, Function<ExprCode, Object> part, String separator) {
    String template = String.join(separator, Collections.nCopies(inputs.size(), "#"));
    return code(template, inputs.stream().map(part).toArray());
  }

  /** Returns Java code with parts in place of each {@code #}, as {@code code"..."} in Scala. */
  private static Block code(String template, Object... parts) {
    StringContext context = new StringContext(ScalaSeq.of(List.of(template.split("#", -1))));
    return new Block.BlockHelper(context).code(ScalaSeq.of(List.of(parts)));
  }

  private Stream<Expression> arguments() {
    return ScalaSeq.toList(arguments).stream();
  }
}
