package dev.mintmark.warehouse;

import dev.mintmark.warehouse.WarehouseFunction.Parameter;
import dev.mintmark.warehouse.WarehouseFunction.ValueType;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The functions of an engine that has them in JavaScript, each with all that it uses of {@code
 * mintmark.js}. Bodies take and return texts alone: where a function has another type, the body is
 * in a function of its own, {@code js_ulid_time}, and the one that is called converts around it.
 */
final class JavaScriptFunctions {
  private static final JavaScriptSource SOURCE = new JavaScriptSource(Resource.text("mintmark.js"));

  private static final String INNER = "js_";

  /**
   * What stands before a body.
   *
   * @param name with its schema
   * @param parameters with their types, and commas between them
   * @param result the type of the result
   * @param summary what it answers
   */
  record Signature(String name, String parameters, String result, String summary) {}

  /** The dialect of an engine with functions in JavaScript, and what each writes in its way. */
  interface Syntax extends Dialect {
    @Override
    default String functions(String schema) {
      return new JavaScriptFunctions(this, path(schema) + ".").definitions();
    }

    @Override
    default String textType() {
      return typeName(ValueType.TEXT);
    }

    /** What a parameter is called in the body. */
    String argument(String parameter);

    /** A function of texts, which returns a text. */
    String scripted(Signature signature, String body);

    /** A function that is an expression of SQL. */
    String expressed(Signature signature, String expression);

    /** What the engine calls a type. */
    String typeName(ValueType type);

    /** The milliseconds since 1970 of a time, cut downwards. */
    String millisOf(String moment);

    /** The time of milliseconds since 1970. */
    String momentOf(String millis);
  }

  private final Syntax syntax;

  /** What stands before the name of a function, the schema and a dot. */
  private final String qualifier;

  JavaScriptFunctions(Syntax syntax, String qualifier) {
    this.syntax = syntax;
    this.qualifier = qualifier;
  }

  /** All statements. */
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
    String summary = function.summary() + (tries ? " Null where that cannot be read." : "");
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
            "What " + name + " does, of texts.");
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
        .map(each -> each.name() + " " + syntax.typeName(each.type()))
        .collect(Collectors.joining(", "));
  }

  /** The text of a parameter. */
  private String asText(Parameter parameter) {
    return switch (parameter.type()) {
      case TEXT, UUID -> parameter.name();
      case BIGINT, INTEGER -> cast(parameter.name(), ValueType.TEXT);
      case TIME -> cast(syntax.millisOf(parameter.name()), ValueType.TEXT);
    };
  }

  /** The value that is in a text. */
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

  /** A UUID is a text in both engines. */
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
