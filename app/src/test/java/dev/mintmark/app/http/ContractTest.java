package dev.mintmark.app.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.mintmark.Kind;
import dev.mintmark.Order;
import dev.mintmark.PoolSpec;
import dev.mintmark.Scheme;
import dev.mintmark.app.service.UuidVersion;
import dev.mintmark.app.service.choice.Answer;
import dev.mintmark.app.service.choice.Question;
import dev.mintmark.app.view.Json;
import dev.mintmark.fixtures.HttpContract;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Parameter;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.context.annotation.Import;
import org.springframework.core.io.Resource;
import org.springframework.http.HttpHeaders;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.ValueConstants;
import org.springframework.web.context.support.StaticWebApplicationContext;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.servlet.mvc.method.RequestMappingInfo;
import org.springframework.web.servlet.mvc.method.annotation.RequestMappingHandlerMapping;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** {@code openapi.json} describes the operations, parameters, JSON and problems of the server. */
@Tag("slow")
class ContractTest {
  /** Where the document is on the class path. */
  static final String DOCUMENT = "/static/openapi.json";

  private static final JsonNode CONTRACT = document();
  private static final HttpContract CHECKS = HttpContract.of(CONTRACT);
  private static final String SCHEMAS = "#/components/schemas/";

  /** Spring answers these headers itself: no method has a parameter for them. */
  private static final Set<String> HEADERS_OF_SPRING = Set.of("If-None-Match");

  /** Reported for paths and methods that no operation has. */
  private static final Set<ProblemCode> OF_NO_OPERATION =
      EnumSet.of(ProblemCode.PATH_NOT_FOUND, ProblemCode.METHOD_NOT_ALLOWED);

  private static final Pattern ROW =
      Pattern.compile("^\\| `([a-z-]+)` \\| ([0-9]{3}) \\| (\\S.*) \\| (\\S.*) \\|$");

  /** The document that is served. */
  static JsonNode document() {
    try (InputStream document = ContractTest.class.getResourceAsStream(DOCUMENT)) {
      return JsonMapper.shared().readTree(Objects.requireNonNull(document).readAllBytes());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Test
  void theOperationsOfTheDocumentAreThoseOfTheServer() {
    assertThat(documented().keySet()).containsExactlyElementsOf(served().keySet());
  }

  @ParameterizedTest
  @MethodSource("operations")
  void anOperationHasTheParametersOfItsMethod(String name) {
    JsonNode operation = documented(name);
    HandlerMethod method = served(name);

    Set<String> parameters = new TreeSet<>();
    for (JsonNode reference : parameters(name)) {
      JsonNode parameter = CHECKS.resolve(reference);
      if (!HEADERS_OF_SPRING.contains(parameter.path("name").asString())) {
        parameters.add(describe(parameter));
      }
    }
    assertThat(parameters)
        .isEqualTo(
            stream(method)
                .flatMap(ContractTest::describe)
                .collect(Collectors.toCollection(TreeSet::new)));
    assertThat(operation.path("operationId").asString()).isEqualTo(method.getMethod().getName());
    assertThat(CONTRACT.path("tags").valueStream().map(tag -> tag.path("name")))
        .contains(operation.path("tags").path(0));
  }

  @ParameterizedTest
  @MethodSource("operations")
  void anOperationTakesAndReturnsTheRecordsOfItsMethod(String name) {
    JsonNode operation = documented(name);
    HandlerMethod method = served(name);

    List<String> taken =
        stream(method)
            .filter(parameter -> parameter.isAnnotationPresent(RequestBody.class))
            .map(
                parameter ->
                    schema(parameter.getType())
                        + required(parameter.getAnnotation(RequestBody.class).required()))
            .toList();
    JsonNode body = operation.path("requestBody");
    assertThat(
            body.isMissingNode()
                ? List.of()
                : List.of(
                    text(body.at("/content/application~1json/schema"))
                        + required(body.path("required").asBoolean())))
        .isEqualTo(taken);
    Set<String> returned = new TreeSet<>();
    for (Map.Entry<String, JsonNode> response : operation.path("responses").properties()) {
      JsonNode schema = response.getValue().at("/content/application~1json/schema");
      if (schema.isObject()) {
        returned.add(text(schema));
      }
    }
    String declared = schema(method.getMethod().getGenericReturnType());
    assertThat(returned)
        .isEqualTo(
            switch (declared) {
              case "nothing" -> Set.of();
              case "several" -> Set.of("Claim or ClaimList", "Claim or ClaimList or ClaimOutcomes");
              default -> Set.of(declared);
            });
  }

  @ParameterizedTest
  @MethodSource("operations")
  void anOperationHasProblemsOfTheRightStatus(String name) {
    for (Map.Entry<String, JsonNode> entry : documented(name).path("responses").properties()) {
      JsonNode content = CHECKS.resolve(entry.getValue()).path("content");
      if (entry.getKey().compareTo("400") >= 0) {
        assertThat(content.propertyNames()).containsExactly("application/problem+json");
        assertThat(codes(content))
            .isNotEmpty()
            .allMatch(code -> Integer.toString(code.status().value()).equals(entry.getKey()));
      }
    }
  }

  @Test
  void everyProblemIsOneOfAnOperation() {
    Set<ProblemCode> reported = EnumSet.copyOf(OF_NO_OPERATION);
    for (JsonNode operation : documented().values()) {
      for (JsonNode response : operation.path("responses")) {
        reported.addAll(codes(CHECKS.resolve(response).path("content")));
      }
    }

    assertThat(reported).isEqualTo(EnumSet.allOf(ProblemCode.class));
  }

  @ParameterizedTest
  @MethodSource("objects")
  void aSchemaHasTheKeysOfItsRecord(String name) throws ClassNotFoundException {
    JsonNode schema = CONTRACT.at("/components/schemas").path(name);
    boolean isRequest = schema.has("additionalProperties");

    Map<String, String> expected = new TreeMap<>();
    for (RecordComponent component : record(name).getRecordComponents()) {
      boolean isNullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
      expected.put(key(component), type(component) + (isNullable && !isRequest ? " or null" : ""));
    }
    Map<String, String> actual = new TreeMap<>();
    schema
        .path("properties")
        .properties()
        .forEach(property -> actual.put(property.getKey(), type(property.getValue())));
    Set<String> required = new HashSet<>();
    schema.path("required").forEach(key -> required.add(key.asString()));

    assertThat(actual).isEqualTo(expected);
    assertThat(expected.keySet()).containsAll(required);
    if (!isRequest) {
      assertThat(required).as("what is null is sent too").isEqualTo(expected.keySet());
    }
  }

  @Test
  void everyRecordOfAnOperationHasASchema() throws ClassNotFoundException {
    Set<Class<?>> records = new HashSet<>();
    for (HandlerMethod method : served().values()) {
      stream(method).forEach(parameter -> collect(parameter.getParameterizedType(), records));
      collect(method.getMethod().getGenericReturnType(), records);
    }
    Set<Class<?>> described = new HashSet<>();
    for (String name : objects().toList()) {
      described.add(record(name));
    }

    assertThat(described).containsAll(records);
  }

  @Test
  void enumsAreThoseOfTheCode() {
    assertThat(allowed("MintRequest", "kind"))
        .isEqualTo(
            Stream.concat(
                    Stream.of(Kind.values()).map(Kind::label),
                    Stream.of(UuidVersion.values()).map(UuidVersion::label))
                .toList());
    assertThat(allowed("MintedIds", "kind")).isEqualTo(allowed("MintRequest", "kind"));
    assertThat(allowed("MintRequest", "order"))
        .isEqualTo(Stream.of(Order.values()).map(Order::label).toList());
    assertThat(allowed("StoredValue", "type"))
        .containsExactlyInAnyOrderElementsOf(
            Stream.of(Kind.Storage.values()).map(Kind.Storage::label).toList());
    assertThat(allowed("Pool", "order")).isEqualTo(labels(PoolSpec.Order.values()));
    assertThat(allowed("PoolDeclaration", "order")).isEqualTo(allowed("Pool", "order"));
    assertThat(allowed("Scheme", "order"))
        .isEqualTo(Stream.of(Scheme.Sorting.values()).map(Scheme.Sorting::label).toList());
    assertThat(allowed("Scheme", "unique"))
        .isEqualTo(Stream.of(Scheme.Uniqueness.values()).map(Scheme.Uniqueness::label).toList());
    assertThat(allowed("Problem", "code"))
        .isEqualTo(Stream.of(ProblemCode.values()).map(ProblemCode::code).toList());
  }

  @Test
  void theAnswersOfAComparisonAreThoseOfTheQuestions() {
    Map<String, List<String>> documented = new TreeMap<>();
    for (JsonNode parameter : parameters("GET /v1/comparison")) {
      JsonNode labels = parameter.at("/schema/enum");
      if (!labels.isMissingNode()) {
        documented.put(
            parameter.path("name").asString(),
            labels.valueStream().map(JsonNode::asString).toList());
      }
    }
    Map<String, List<String>> asked = new TreeMap<>();
    for (Question question : Question.values()) {
      asked.put(question.key(), question.answers().stream().map(Answer::label).toList());
    }

    assertThat(documented).isEqualTo(asked);
  }

  @Test
  void noKeyHasADefault() {
    assertThat(CONTRACT.path("components").path("schemas").findValues("default"))
        .as("openapi-typescript would make the key required")
        .isEmpty();
  }

  @Test
  void everyExampleFitsItsSchema() {
    List<JsonNode> schemas = new ArrayList<>(CONTRACT.findParents("examples"));
    for (JsonNode schema : schemas) {
      for (JsonNode example : schema.path("examples")) {
        assertThat(CHECKS.differences(schema, example)).as(example.toString()).isEmpty();
      }
    }
    List<JsonNode> parameters = CONTRACT.findParents("example");
    for (JsonNode parameter : parameters) {
      assertThat(CHECKS.differences(parameter.path("schema"), parameter.path("example")))
          .as(parameter.toString())
          .isEmpty();
    }
    assertThat(schemas).hasSizeGreaterThan(20);
    assertThat(parameters).hasSizeGreaterThan(3);
  }

  @Test
  void thePageOfErrorsListsEveryProblem() throws IOException {
    String page = Files.readString(Path.of("../docs/errors.md"));
    String section = page.split("(?m)^## Problems of the HTTP API$", 2)[1].split("(?m)^## ", 2)[0];
    List<String> listed = new ArrayList<>();
    for (String line : section.lines().toList()) {
      Matcher row = ROW.matcher(line);
      if (row.matches()) {
        listed.add(row.group(1) + " " + row.group(2));
      }
    }

    assertThat(listed)
        .isEqualTo(
            Arrays.stream(ProblemCode.values())
                .map(code -> code.code() + " " + code.status().value())
                .toList());
  }

  static Stream<String> operations() {
    return served().keySet().stream();
  }

  static Stream<String> objects() {
    return CONTRACT.at("/components/schemas").properties().stream()
        .filter(schema -> schema.getValue().path("type").asString().equals("object"))
        .map(Map.Entry::getKey)
        .filter(name -> !name.equals("Problem"));
  }

  /** The operations of the document, by method and path. */
  private static Map<String, JsonNode> documented() {
    Map<String, JsonNode> operations = new TreeMap<>();
    for (Map.Entry<String, JsonNode> path : CONTRACT.path("paths").properties()) {
      for (Map.Entry<String, JsonNode> operation : path.getValue().properties()) {
        if (!operation.getKey().equals("parameters")) {
          operations.put(
              operation.getKey().toUpperCase(Locale.ROOT) + " " + path.getKey(),
              operation.getValue());
        }
      }
    }
    return operations;
  }

  private static JsonNode documented(String operation) {
    return Objects.requireNonNull(documented().get(operation));
  }

  private static HandlerMethod served(String operation) {
    return Objects.requireNonNull(served().get(operation));
  }

  private static List<JsonNode> parameters(String operation) {
    List<JsonNode> parameters = new ArrayList<>();
    String path = operation.split(" ", 2)[1];
    CONTRACT.path("paths").path(path).path("parameters").forEach(parameters::add);
    documented(operation).path("parameters").forEach(parameters::add);
    return parameters;
  }

  /** The methods that Spring calls, by HTTP method and path; without starting a server. */
  private static Map<String, HandlerMethod> served() {
    StaticWebApplicationContext context = new StaticWebApplicationContext();
    for (Class<?> type : ServerConfiguration.class.getAnnotation(Import.class).value()) {
      if (type.isAnnotationPresent(RestController.class)) {
        context.registerBeanDefinition(type.getName(), new RootBeanDefinition(type));
      }
    }
    RequestMappingHandlerMapping mapping = new RequestMappingHandlerMapping();
    mapping.setApplicationContext(context);
    mapping.afterPropertiesSet();
    Map<String, HandlerMethod> served = new TreeMap<>();
    for (Map.Entry<RequestMappingInfo, HandlerMethod> entry :
        mapping.getHandlerMethods().entrySet()) {
      for (String path : entry.getKey().getPatternValues()) {
        entry
            .getKey()
            .getMethodsCondition()
            .getMethods()
            .forEach(method -> served.put(method + " " + path, entry.getValue()));
      }
    }
    return served;
  }

  private static Stream<Parameter> stream(HandlerMethod method) {
    return Arrays.stream(method.getMethod().getParameters());
  }

  private static Stream<String> describe(Parameter parameter) {
    RequestParam query = parameter.getAnnotation(RequestParam.class);
    if (query != null) {
      boolean hasDefault = !query.defaultValue().equals(ValueConstants.DEFAULT_NONE);
      return Stream.of(
          "query %s %s%s%s"
              .formatted(
                  query.name().isEmpty() ? parameter.getName() : query.name(),
                  jsonType(parameter.getType()),
                  required(query.required() && !hasDefault),
                  hasDefault ? " default " + query.defaultValue() : ""));
    }
    if (parameter.isAnnotationPresent(PathVariable.class)) {
      return Stream.of("path " + parameter.getName() + " string required");
    }
    RequestHeader header = parameter.getAnnotation(RequestHeader.class);
    if (header == null) {
      return Stream.of();
    }
    // Not required by Spring: a problem of our own says that it is missing.
    boolean isRequired = header.name().equals(HttpHeaders.IF_MATCH);
    return Stream.of("header " + header.name() + " string" + required(isRequired));
  }

  private static String describe(JsonNode parameter) {
    JsonNode schema = parameter.path("schema");
    return "%s %s %s%s%s"
        .formatted(
            parameter.path("in").asString(),
            parameter.path("name").asString(),
            schema.path("type").asString(),
            required(parameter.path("required").asBoolean(false)),
            schema.has("default") ? " default " + schema.path("default").asString() : "");
  }

  private static String required(boolean isRequired) {
    return isRequired ? " required" : "";
  }

  private static Set<ProblemCode> codes(JsonNode content) {
    Set<ProblemCode> codes = EnumSet.noneOf(ProblemCode.class);
    for (JsonNode code :
        content.at("/application~1problem+json/schema/allOf/1/properties/code/enum")) {
      codes.add(ProblemCode.valueOf(code.asString().toUpperCase(Locale.ROOT).replace('-', '_')));
    }
    return codes;
  }

  private static Class<?> record(String schema) throws ClassNotFoundException {
    return Class.forName(Json.class.getPackageName() + "." + schema + "Json");
  }

  private static String key(RecordComponent component) {
    JsonProperty named = component.getAccessor().getAnnotation(JsonProperty.class);
    return named == null
        ? component.getName().replaceAll("([A-Z])", "_$1").toLowerCase(Locale.ROOT)
        : named.value();
  }

  private static String type(RecordComponent component) {
    Class<?> type = component.getType();
    return type.isRecord() ? schema(type) : jsonType(type);
  }

  private static String type(JsonNode schema) {
    if (schema.has("$ref")) {
      String name = text(schema);
      return name.equals("Duration") ? "string" : name;
    }
    JsonNode type = schema.path("type");
    if (type.isArray()) {
      assertThat(type.path(1).asString()).isEqualTo("null");
      return type.path(0).asString() + " or null";
    }
    if (!schema.has("oneOf")) {
      return type.asString();
    }
    JsonNode second = schema.path("oneOf").path(1).path("type");
    return second.asString("").equals("null")
        ? text(schema.path("oneOf").path(0)) + " or null"
        : "any";
  }

  private static String jsonType(Class<?> type) {
    if (type == String.class || type == Instant.class) {
      return "string";
    }
    if (type == boolean.class || type == Boolean.class) {
      return "boolean";
    }
    if (type.isArray() || type == List.class) {
      return "array";
    }
    if (type == Map.class) {
      return "object";
    }
    if (type == double.class || type == Double.class) {
      return "number";
    }
    return type == int.class
            || type == Integer.class
            || type == long.class
            || type == Long.class
            || type == BigInteger.class
        ? "integer"
        : "any";
  }

  /** The name of the schema of a Java type, in the words of {@link #text}. */
  private static String schema(Type type) {
    if (type instanceof ParameterizedType generic) {
      Type argument = generic.getActualTypeArguments()[0];
      String of = schema(argument);
      return generic.getRawType() == List.class ? "array of " + of : of;
    }
    if (type == Void.class || type == String.class || type == Resource.class) {
      return "nothing"; // Or text, which has no schema.
    }
    return type instanceof Class<?> named
        ? named.getSimpleName().replaceAll("Json$", "")
        : "several";
  }

  /** What a schema refers to. */
  private static String text(JsonNode schema) {
    if (schema.has("oneOf")) {
      return String.join(
          " or ", schema.path("oneOf").valueStream().map(ContractTest::text).toList());
    }
    return schema.path("type").asString("").equals("array")
        ? "array of " + text(schema.path("items"))
        : schema.path("$ref").asString("").substring(SCHEMAS.length());
  }

  private static void collect(Type type, Set<Class<?>> records) {
    if (type instanceof ParameterizedType generic) {
      for (Type argument : generic.getActualTypeArguments()) {
        collect(argument, records);
      }
    } else if (type instanceof Class<?> named && named.isRecord() && records.add(named)) {
      for (RecordComponent component : named.getRecordComponents()) {
        collect(component.getGenericType(), records);
      }
    }
  }

  private static List<String> allowed(String schema, String key) {
    return CONTRACT
        .at("/components/schemas/" + schema + "/properties/" + key + "/enum")
        .valueStream()
        .map(JsonNode::asString)
        .toList();
  }

  private static List<String> labels(Enum<?>[] constants) {
    return Stream.of(constants).map(c -> c.name().toLowerCase(Locale.ROOT)).toList();
  }
}
