package dev.mintmark.spark;

import dev.mintmark.warehouse.WarehouseFunction;
import dev.mintmark.warehouse.WarehouseFunction.Parameter;
import java.util.stream.Collectors;
import org.apache.spark.sql.catalyst.expressions.ExpressionInfo;

/** The description of a function that {@code describe function extended} prints. */
final class FunctionHelp {
  private static final String SINCE = "0.1.0";

  private FunctionHelp() {}

  static ExpressionInfo of(SparkFunction function) {
    Help help = help(function.function());
    String what = help.usage + (function.isTry() ? "; null instead of an error." : ".");
    String examples = "\n    Examples:\n      > SELECT _FUNC_(%s);\n       %s\n  ";
    return new ExpressionInfo(
        FunctionCall.class.getName(),
        null,
        function.label(),
        "_FUNC_(" + parameters(function.function()) + ") - " + what,
        "",
        examples.formatted(help.arguments, help.result),
        "",
        help.group,
        SINCE,
        "",
        "built-in");
  }

  private static String parameters(WarehouseFunction function) {
    return function.parameters().stream().map(Parameter::name).collect(Collectors.joining(", "));
  }

  private record Help(String group, String usage, String arguments, String result) {}

  private static Help help(WarehouseFunction function) {
    return switch (function) {
      case ULID_TEXT ->
          text(
              "The 26 characters of a ULID, from a UUID that is a string or 16 bytes",
              "'017fe093-7adf-9932-aaaa-01fd0ba14d3f'",
              "01FZG96YPZK4SANAG1ZM5T2K9Z");
      case ULID_UUID ->
          text(
              "The UUID of the 26 characters of a ULID, in either letter case",
              "'01FZG96YPZK4SANAG1ZM5T2K9Z'",
              "017fe093-7adf-9932-aaaa-01fd0ba14d3f");
      case ULID_TIME ->
          new Help(
              "datetime_funcs",
              "The mint time of a ULID or a UUIDv7, from a UUID that is a string or 16 bytes",
              "'017fe093-7adf-9932-aaaa-01fd0ba14d3f'",
              "2022-03-31 15:23:55.999");
      case ULID_MIN ->
          new Help(
              "datetime_funcs",
              "The smallest UUID of the millisecond of a time",
              "timestamp '2022-03-31 15:23:55.999Z'",
              "017fe093-7adf-0000-0000-000000000000");
      case ULID_MAX ->
          new Help(
              "datetime_funcs",
              "The largest UUID of the millisecond of a time",
              "timestamp '2022-03-31 15:23:55.999Z'",
              "017fe093-7adf-ffff-ffff-ffffffffffff");
      case PREFIXED ->
          text(
              "A number after a prefix, with at least width digits, 0 to 18",
              "'PM', 123, 6",
              "PM000123");
      case UNPREFIXED ->
          text(
              "The number after a prefix, of at most 19 digits, with or without leading zeros",
              "'PM', 'PM000123'",
              "123");
      case TYPEID_TEXT ->
          text(
              "The TypeID of a prefix and a UUID that is a string or 16 bytes",
              "'user', '01890a5d-ac96-774b-bcce-b302099a8057'",
              "user_01h455vb4pex5vsknk084sn02q");
      case TYPEID_UUID ->
          text(
              "The UUID of a TypeID with any prefix",
              "'user_01h455vb4pex5vsknk084sn02q'",
              "01890a5d-ac96-774b-bcce-b302099a8057");
      case ID_PREFIX ->
          text(
              "The prefix of a TypeID or of a number, empty if it has no prefix",
              "'user_01h455vb4pex5vsknk084sn02q'",
              "user");
      case PURI ->
          text(
              "The pURI of three segments, which the function percent-encodes",
              "'bobsburgers', 'meats', 'chicken prime'",
              "bobsburgers:meats:chicken%20prime");
      case PURI_NAMESPACE ->
          text(
              "The first segment of a pURI, decoded",
              "'bobsburgers:meats:chicken%20prime'",
              "bobsburgers");
      case PURI_COLLECTION ->
          text(
              "The second segment of a pURI, decoded",
              "'bobsburgers:meats:chicken%20prime'",
              "meats");
      case PURI_IDENTIFIER ->
          text(
              "The third segment of a pURI, decoded",
              "'bobsburgers:meats:chicken%20prime'",
              "chicken prime");
    };
  }

  private static Help text(String usage, String arguments, String result) {
    return new Help("string_funcs", usage, arguments, result);
  }
}
