package dev.mintmark.warehouse;

import dev.mintmark.warehouse.WarehouseFunction.Parameter;
import dev.mintmark.warehouse.WarehouseFunction.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The functions of an engine in JavaScript, each with every definition of {@code mintmark.js} that
 * it uses. Bodies take and return only text. If a function has another type, its body is in an
 * inner function, {@code js_ulid_time}, and the function that queries call converts the types in
 * SQL.
 */
final class JavaScriptFunctions {
  private static final JavaScriptSource SOURCE = new JavaScriptSource(Resource.text("mintmark.js"));

  private static final String INNER = "js_";

  /**
   * The signature of a function.
   *
   * @param name the name with its schema
   * @param parameters the parameters with their types, separated by commas
   * @param result the type of the result
   * @param summary a description of the result
   */
  record Signature(String name, String parameters, String result, String summary) {}

  /** The dialect of an engine with functions in JavaScript. */
  interface Syntax extends Dialect {
    @Override
    default String functions(String schema) {
      return new JavaScriptFunctions(this, path(schema) + ".").definitions();
    }

    @Override
    default String textType() {
      return typeName(ValueType.TEXT);
    }

    /** Returns the name of a parameter in the body. */
    String argument(String parameter);

    /** Returns the statement of a JavaScript function with text parameters and a text result. */
    String scripted(Signature signature, String body);

    /** Returns the statement of a function that is an SQL expression. */
    String expressed(Signature signature, String expression);

    /** Returns the name of a type. */
    String typeName(ValueType type);

    /** Returns the type of a parameter, which does not change the value of an argument. */
    default String parameterType(ValueType type) {
      return typeName(type);
    }

    /** Returns an expression for the milliseconds since 1970 of a time, rounded down. */
    String millisOf(String moment);

    /** Returns an expression for the time of milliseconds since 1970. */
    String momentOf(String millis);
  }

  private final Syntax syntax;

  /** The schema and a dot. */
  private final String qualifier;

  JavaScriptFunctions(Syntax syntax, String qualifier) {
    this.syntax = syntax;
    this.qualifier = qualifier;
  }

  /** Returns the statements of all functions. */
  String definitions() {
    return Stream.of(WarehouseFunction.values())
        .flatMap(function -> definitions(function).stream())
        .collect(Collectors.joining("\n"));
  }

  private List<String> definitions(WarehouseFunction function) {
    List<String> statements = new ArrayList<>(definitions(function, function.label(), false));
    if (function.hasTry()) {
      statements.addAll(definitions(function, function.tryName(), true));
    }
    return statements;
  }

  private List<String> definitions(WarehouseFunction function, String name, boolean tries) {
    String summary = function.summary() + (tries ? " Null instead of an error." : "");
    List<String> parameters = function.parameters().stream().map(Parameter::name).toList();
    String body = body(function, parameters, tries);
    boolean isOfTexts =
        isText(function.result())
            && function.parameters().stream()
                .map(Parameter::type)
                .allMatch(JavaScriptFunctions::isText);
    if (isOfTexts) {
      return List.of(syntax.scripted(signature(name, function, summary), body));
    }
    String inner = INNER + name;
    String arguments =
        function.parameters().stream().map(this::asText).collect(Collectors.joining(", "));
    Signature ofTexts =
        new Signature(
            qualifier + inner,
            declared(parameters.stream().map(each -> new Parameter(each, ValueType.TEXT)).toList()),
            syntax.typeName(ValueType.TEXT),
            "The body of " + name + ", with text parameters and a text result.");
    return List.of(
        syntax.scripted(ofTexts, body),
        syntax.expressed(
            signature(name, function, summary),
            fromText(qualifier + inner + "(" + arguments + ")", function.result())));
  }

  private Signature signature(String name, WarehouseFunction function, String summary) {
    return new Signature(
        qualifier + name,
        declared(function.parameters()),
        syntax.typeName(function.result()),
        summary);
  }

  private String declared(List<Parameter> parameters) {
    return parameters.stream()
        .map(each -> each.name() + " " + syntax.parameterType(each.type()))
        .collect(Collectors.joining(", "));
  }

  /** Returns an expression for the text of a parameter. */
  private String asText(Parameter parameter) {
    return switch (parameter.type()) {
      case TEXT, UUID -> parameter.name();
      case BIGINT, INTEGER -> cast(parameter.name(), ValueType.TEXT);
      case TIME -> cast(syntax.millisOf(parameter.name()), ValueType.TEXT);
    };
  }

  /** Returns an expression for the value in a text. */
  private String fromText(String expression, ValueType type) {
    return switch (type) {
      case TEXT, UUID -> expression;
      case BIGINT, INTEGER -> cast(expression, type);
      case TIME -> syntax.momentOf(cast(expression, ValueType.BIGINT));
    };
  }

  private String cast(String expression, ValueType type) {
    return "cast(" + expression + " as " + syntax.typeName(type) + ")";
  }

  /** Returns whether a type is text: in both engines, a UUID is. */
  private static boolean isText(ValueType type) {
    return type == ValueType.TEXT || type == ValueType.UUID;
  }

  private String body(WarehouseFunction function, List<String> parameters, boolean tries) {
    List<String> arguments = parameters.stream().map(syntax::argument).toList();
    String definition = camelCase(function.label());
    String nulls =
        arguments.stream().map(each -> each + " == null").collect(Collectors.joining(" || "));
    String call = "return " + definition + "(" + String.join(", ", arguments) + ");\n";
    return "\"use strict\";\n"
        + SOURCE.closure(definition)
        + ("\nif (" + nulls + ") {\n  return null;\n}\n")
        + (tries ? "try {\n  " + call + "} catch (e) {\n  return null;\n}\n" : call);
  }

  private static String camelCase(String label) {
    String[] words = label.split("_", -1);
    return Stream.of(words)
        .skip(1)
        .map(word -> word.substring(0, 1).toUpperCase(Locale.ROOT) + word.substring(1))
        .collect(Collectors.joining("", words[0], ""));
  }
}
