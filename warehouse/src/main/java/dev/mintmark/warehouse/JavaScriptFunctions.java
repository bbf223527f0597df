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

  /** What engines write each in its way. */
  interface Syntax {
    /** What a parameter is called in the body. */
    String argument(String parameter);

    /** A function of texts, which returns a text. */
    String scripted(String name, List<String> parameters, String summary, String body);

    /** A function that is an expression of SQL. */
    String expressed(
        String name,
        List<Parameter> parameters,
        ValueType result,
        String summary,
        String expression);

    /** The text of a parameter that is of another type. */
    String toText(String parameter, ValueType type);

    /** The value of another type that is in a text. */
    String fromText(String expression, ValueType type);
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
        Stream.concat(
                Stream.of(function.result()), function.parameters().stream().map(Parameter::type))
            .allMatch(JavaScriptFunctions::isText);
    if (isOfTexts) {
      return List.of(syntax.scripted(qualifier + name, parameters, summary, body));
    }
    String inner = qualifier + INNER + name;
    String arguments =
        function.parameters().stream().map(this::asText).collect(Collectors.joining(", "));
    String call = inner + "(" + arguments + ")";
    return List.of(
        syntax.scripted(inner, parameters, "What " + name + " does, of texts.", body),
        syntax.expressed(
            qualifier + name,
            function.parameters(),
            function.result(),
            summary,
            isText(function.result()) ? call : syntax.fromText(call, function.result())));
  }

  private String asText(Parameter parameter) {
    return isText(parameter.type())
        ? parameter.name()
        : syntax.toText(parameter.name(), parameter.type());
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
