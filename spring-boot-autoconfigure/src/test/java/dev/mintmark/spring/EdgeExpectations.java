package dev.mintmark.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.springframework.web.servlet.mvc.method.annotation.MvcUriComponentsBuilder.fromMethodName;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Face;
import dev.mintmark.FaceChange;
import dev.mintmark.IdType;
import dev.mintmark.InCollection;
import dev.mintmark.Kind;
import dev.mintmark.MalformedIdException;
import dev.mintmark.Masks;
import dev.mintmark.Ulid;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.beans.TypeMismatchException;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.MatrixVariable;
import org.springframework.web.bind.annotation.ModelAttribute;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.bind.annotation.RestControllerAdvice;
import tools.jackson.databind.json.JsonMapper;

/**
 * What an application on a real server does at its edge, whether Spring MVC or WebFlux serves it:
 * faces outside, plain texts inside, and the answers to malformed identifiers.
 */
@Tag("slow")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
abstract class EdgeExpectations {
  private static final String SECRET = "a:MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY=";
  private static final UUID ORDER = new UUID(0x017fe0937adf7932L, 0xaaaa01fd0ba14d3fL);
  private static final Instant END = Instant.parse("2027-06-30T00:00:00Z");
  private static final AtomicReference<Instant> NOW = new AtomicReference<>(END);
  private static final Catalog CATALOG =
      new Catalog(
          "shop",
          List.of(
              CollectionSpec.builder("payments", Kind.SEQUENCE)
                  .prefix("PM")
                  .width(6)
                  .face(new CollectionSpec.Face("pay", "payments"))
                  .build(),
              CollectionSpec.builder("orders", Kind.UUIDV7)
                  .face(new CollectionSpec.Face("ord", "orders"))
                  .build(),
              CollectionSpec.builder("tickets", Kind.SEQUENCE)
                  .face(new CollectionSpec.Face("tck", "tickets"))
                  .faceChange(FaceChange.ofNumber(END, "_str"))
                  .build()),
          List.of());

  private final String type;
  private ConfigurableApplicationContext application;
  WebClient client;
  String payment;
  String order;

  /**
   * @param type the value of {@code spring.main.web-application-type}
   */
  EdgeExpectations(String type) {
    this.type = type;
  }

  @InCollection("payments")
  record PaymentId(long value) {}

  @InCollection("tickets")
  record TicketId(long value) {}

  record Ticket(TicketId id) {}

  record AuthorId(Ulid value) {}

  record Payment(PaymentId id, @Face("orders") UUID order, UUID plain) {}

  /** A form that Spring makes with its constructor. */
  record Filter(PaymentId id, @Face("orders") UUID order, @Nullable UUID plain) {}

  /** A form with several values of one name, to which only its constructor gives access. */
  static final class Several {
    private final Object numbers;

    Several(
        @Face("payments") @Nullable List<Long> numbers,
        @Face("payments") @Nullable Map<String, Long> named) {
      this.numbers = numbers == null ? String.valueOf(named) : numbers;
    }

    @Override
    public String toString() {
      return numbers.toString();
    }
  }

  /** The same, with setters. */
  static class Choices {
    @Face("payments")
    private List<Long> numbers = new ArrayList<>();

    public List<Long> getNumbers() {
      return numbers;
    }

    public void setNumbers(List<Long> numbers) {
      this.numbers = numbers;
    }
  }

  /** A form that Spring makes with setters. */
  static class Choice {
    @Face("orders")
    private @Nullable UUID order;

    private @Nullable Long number;

    public @Nullable UUID getOrder() {
      return order;
    }

    public void setOrder(UUID order) {
      this.order = order;
    }

    public @Nullable Long getNumber() {
      return number;
    }

    @Face("payments")
    public void setNumber(Long number) {
      this.number = number;
    }
  }

  @Configuration(proxyBeanMethods = false)
  @EnableAutoConfiguration
  static class Application {
    @Bean
    static Catalog catalog() {
      return CATALOG;
    }

    @Bean
    static IdType<AuthorId> authors() {
      return IdType.ulids().map(AuthorId.class, AuthorId::new, AuthorId::value);
    }

    @Bean
    Controller controller() {
      return new Controller();
    }

    @Bean
    static InstantSource clock() {
      return NOW::get;
    }

    @Bean
    static MeterRegistry meters() {
      return new SimpleMeterRegistry();
    }

    @Bean
    static Supplier<String> mintmarkClient() {
      return () -> "shop-app";
    }

    @Bean
    Advised advised() {
      return new Advised();
    }

    @Bean
    Advice advice() {
      return new Advice();
    }

    @Bean
    Generic generic() {
      return new Generic();
    }

    @Bean
    GenericAdvice genericAdvice() {
      return new GenericAdvice();
    }
  }

  @RestController
  static class Advised {
    @GetMapping("/advised/{id}")
    String find(@PathVariable PaymentId id) {
      return id.toString();
    }
  }

  @RestControllerAdvice(assignableTypes = Advised.class)
  static class Advice {
    @ExceptionHandler
    @ResponseStatus(HttpStatus.NOT_FOUND)
    String malformed(MalformedIdException failure) {
      return "mine: " + failure.getMessage();
    }
  }

  @RestController
  static class Generic {
    @GetMapping("/generic/{id}")
    String find(@PathVariable PaymentId id) {
      return id.toString();
    }
  }

  @RestControllerAdvice(assignableTypes = Generic.class)
  static class GenericAdvice {
    @ExceptionHandler
    @ResponseStatus(HttpStatus.NOT_FOUND)
    String mismatch(TypeMismatchException failure) {
      return "mine: " + failure.getValue();
    }
  }

  @RestController
  static class Controller {
    @GetMapping("/payments/{id}")
    Payment payment(@PathVariable PaymentId id) {
      return new Payment(id, ORDER, ORDER);
    }

    @GetMapping("/orders/{id}")
    boolean order(@PathVariable @Face("orders") UUID id) {
      return id.equals(ORDER);
    }

    @GetMapping("/numbers")
    long number(@RequestParam @Face("payments") long id) {
      return id;
    }

    @GetMapping("/lists")
    List<Long> list(@RequestParam @Face("payments") List<Long> id) {
      return id;
    }

    @GetMapping("/sets")
    Set<Long> set(@RequestParam @Face("payments") Set<Long> id) {
      return id;
    }

    @GetMapping("/matrix/{path}")
    List<Long> matrix(@MatrixVariable @Face("payments") List<Long> id) {
      return id;
    }

    /** The addresses of the others, which only Spring MVC builds. */
    @GetMapping("/links")
    String links() {
      return Stream.of(
              fromMethodName(Controller.class, "payment", new PaymentId(1)),
              fromMethodName(Controller.class, "order", ORDER),
              fromMethodName(Controller.class, "number", 1L),
              fromMethodName(Controller.class, "list", List.of(1L, 1L)),
              fromMethodName(Controller.class, "optional", Optional.of(ORDER)))
          .map(link -> link.scheme(null).host(null).port(null).build().toUriString())
          .collect(Collectors.joining(" "));
    }

    @GetMapping("/authors/{id}")
    String author(@PathVariable AuthorId id) {
      return id.value().toString();
    }

    @GetMapping("/renamed")
    UUID renamed(@RequestParam("order") @Face("orders") UUID other) {
      return other;
    }

    @GetMapping("/misdeclared")
    UUID misdeclared(@RequestParam @Face("payments") UUID id) {
      return id;
    }

    @GetMapping("/headers")
    UUID header(@RequestHeader("X-Order") @Face("orders") UUID header) {
      return header;
    }

    @GetMapping("/optional")
    String optional(@RequestParam @Face("orders") Optional<UUID> id) {
      return id.toString();
    }

    @GetMapping("/filters")
    String filter(@ModelAttribute Filter filter) {
      return filter.toString();
    }

    @GetMapping("/beans")
    String bean(@ModelAttribute Choice bean) {
      return bean.getOrder() + " " + bean.getNumber();
    }

    @GetMapping("/several")
    String several(@ModelAttribute Several several) {
      return several.toString();
    }

    @GetMapping("/choices")
    List<Long> choices(@ModelAttribute Choices choices) {
      return choices.getNumbers();
    }

    @GetMapping("/tickets/{id}")
    Ticket ticket(@PathVariable TicketId id) {
      return new Ticket(id);
    }

    @PostMapping("/tickets")
    long create(@RequestBody Ticket ticket) {
      return ticket.id().value();
    }

    @PostMapping("/payments")
    long create(@RequestBody Payment payment) {
      return payment.id().value();
    }
  }

  @BeforeAll
  void start() {
    application =
        new SpringApplicationBuilder(Application.class)
            .properties(
                Map.of(
                    "server.port",
                    0,
                    "spring.main.web-application-type",
                    type,
                    "spring.main.lazy-initialization",
                    true, // What makes faces must be there all the same.
                    "mintmark.secret",
                    SECRET,
                    "spring.main.banner-mode",
                    "off",
                    "spring.autoconfigure.exclude",
                    "org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration"))
            .run();
    client = new WebClient(application);
    Masks masks = application.getBean(Masks.class);
    payment = masks.find(PaymentId.class).orElseThrow().show(new PaymentId(1));
    order = masks.of(UUID.class, "orders").show(ORDER);
  }

  @AfterAll
  void stop() {
    application.close();
  }

  @Test
  void clientsSeeFaces() {
    assertThat(client.get("/payments/" + payment).body())
        .isEqualTo(
            "{\"id\":\"%s\",\"order\":\"%s\",\"plain\":\"%s\"}".formatted(payment, order, ORDER));
    assertThat(client.get("/orders/" + order).body()).isEqualTo("true");
    assertThat(client.get("/numbers?id=" + payment).body()).isEqualTo("1");
    assertThat(client.post("/payments", "{\"id\":\"" + payment + "\"}").body()).isEqualTo("1");
  }

  @Test
  void facesAreOpenedInFormsAndLists() {
    assertThat(
            client.get("/filters?id=%s&order=%s&plain=%s".formatted(payment, order, ORDER)).body())
        .isEqualTo(new Filter(new PaymentId(1), ORDER, ORDER).toString());
    assertThat(client.get("/beans?order=%s&number=%s".formatted(order, payment)).body())
        .isEqualTo(ORDER + " 1");
    assertThat(client.get("/lists?id=%s,%s".formatted(payment, payment)).body()).isEqualTo("[1,1]");
    assertThat(client.get("/lists?id=%s&id=%s".formatted(payment, payment)).body())
        .isEqualTo("[1,1]");
    assertThat(client.get("/sets?id=%s&id=%s".formatted(payment, payment)).body()).isEqualTo("[1]");
    assertThat(client.get("/matrix/x;id=%s;id=%s".formatted(payment, payment)).body())
        .isEqualTo("[1,1]");
    String several = "numbers=%s&numbers=%s".formatted(payment, payment);
    assertThat(client.get("/several?" + several).body()).isEqualTo("[1, 1]");
    assertThat(client.get("/choices?" + several).body()).isEqualTo("[1,1]");
    assertThat(client.get("/choices?numbers%5B0%5D=" + payment).body()).isEqualTo("[1]");
    assertThat(client.get("/choices").body()).isEqualTo("[]");
    assertThat(client.get("/optional?id=" + order).body()).isEqualTo(Optional.of(ORDER).toString());
    assertThat(client.get("/optional").body()).isEqualTo(Optional.empty().toString());
  }

  @ParameterizedTest
  @CsvSource({
    "/filters?order=ORDER, order",
    "/beans?order=ORDER, order",
    "/beans?number=1, number",
    "/lists?id=1, id",
    "/lists?id=1&id=2, id",
    "/sets?id=1&id=2, id",
    "/matrix/x;id=1;id=2, id",
    "/several?numbers=1&numbers=2, numbers",
    "/several?numbers%5B0%5D=1, numbers",
    "/choices?numbers=1&numbers=2, numbers",
    "/choices?numbers%5B0%5D=1, numbers[0]",
    "/optional?id=ORDER, id",
    "/numbers?id=1, id",
    "/orders/ORDER, id",
    "/renamed?order=ORDER, order",
    "/payments/PM000001, id"
  })
  void plainTextsAreMalformedInFormsListsAndParameters(String path, String parameter) {
    WebClient.Answer answer = client.get(path.replace("ORDER", ORDER.toString()));

    assertThat(answer.status()).isEqualTo(400);
    assertThat(answer.contentType()).isEqualTo("application/problem+json");
    assertThat(answer.json().path("code").asString()).isEqualTo("malformed-identifier");
    assertThat(answer.json().path("parameter").asString()).isEqualTo(parameter);
    assertThat(answer.json().path("detail").asString()).startsWith("malformed face ");
    assertThat(answer.json().path("instance").asString()).startsWith("/");
  }

  /** Faces in a map are not opened for a constructor, and plain texts are not accepted either. */
  @Test
  void plainTextsInAMapAreRejected() {
    assertThat(client.get("/several?named%5Ba%5D=1").status()).isGreaterThanOrEqualTo(400);
  }

  /** An error of the application is not one of the client. */
  @Test
  void parameterOfAClassThatCannotHaveTheFaceIsAnErrorOfTheServer() {
    assertThat(client.get("/misdeclared?id=" + payment).status()).isEqualTo(500);
  }

  @Test
  void otherIdentifiersHaveTheirPlainText() {
    assertThat(client.get("/authors/01FZG96YPZK4SANAG1ZM5T2K9Z").body())
        .isEqualTo("01FZG96YPZK4SANAG1ZM5T2K9Z");
    WebClient.Answer malformed = client.get("/authors/x");
    assertThat(malformed.status()).isEqualTo(400);
    assertThat(malformed.json().path("parameter").asString()).isEqualTo("id");
    assertThat(malformed.json().path("detail").asString()).startsWith("malformed ULID");
    assertThat(client.get("/missing").status()).isEqualTo(404);
    assertThat(client.get("/numbers").body()).doesNotContain("malformed-identifier");
    assertThat(client.post("/payments", "{").body()).doesNotContain("malformed-identifier");
  }

  @Test
  void oldFaceIsServedUntilItEnds() {
    String face =
        application.getBean(Masks.class).find(TicketId.class).orElseThrow().show(new TicketId(7));
    NOW.set(END.minusMillis(1));
    double before = oldFaces("accepted");

    for (String each : List.of("7", face)) {
      assertThat(client.get("/tickets/" + each).body())
          .isEqualTo("{\"id\":7,\"id_str\":\"%s\"}".formatted(face));
    }
    assertThat(client.post("/tickets", "{\"id\":7}").body()).isEqualTo("7");
    assertThat(client.post("/tickets", "{\"id_str\":\"%s\"}".formatted(face)).body())
        .isEqualTo("7");
    assertThat(oldFaces("accepted") - before).isEqualTo(2);
  }

  @Test
  void oldFaceIsGoneAfterItsEnd() {
    NOW.set(END);
    double before = oldFaces("rejected");

    WebClient.Answer path = client.get("/tickets/7");
    assertThat(path.status()).isEqualTo(410);
    assertThat(path.contentType()).isEqualTo("application/problem+json");
    assertThat(path.json().path("code").asString()).isEqualTo("identifier-retired");
    assertThat(path.json().path("title").asString()).isEqualTo("Retired identifier");
    assertThat(path.json().path("status").asInt()).isEqualTo(410);
    assertThat(path.json().path("parameter").asString()).isEqualTo("id");
    assertThat(path.json().path("detail").asString())
        .isEqualTo(
            "retired identifier \"7\": it was accepted until 2027-06-30T00:00:00Z: use the one that"
                + " starts with tck_");

    WebClient.Answer body = client.post("/tickets", "{\"id\":7}");
    assertThat(body.status()).isEqualTo(410);
    assertThat(body.json().path("pointer").asString()).isEqualTo("#/id");
    assertThat(oldFaces("rejected") - before).isEqualTo(2);

    String face =
        application.getBean(Masks.class).find(TicketId.class).orElseThrow().show(new TicketId(7));
    assertThat(client.get("/tickets/" + face).body())
        .isEqualTo("{\"id\":\"%s\",\"id_str\":\"%s\"}".formatted(face, face));
  }

  private double oldFaces(String outcome) {
    return application
        .getBean(MeterRegistry.class)
        .counter(
            "mintmark.faces.retiring",
            "collection",
            "tickets",
            "client",
            "shop-app",
            "outcome",
            outcome)
        .count();
  }

  @Test
  void adviceOfTheApplicationTakesPrecedence() {
    WebClient.Answer malformed = client.get("/advised/PM000001");
    assertThat(malformed.status()).isEqualTo(404);
    assertThat(malformed.body()).startsWith("mine: malformed face \"PM000001\"");

    WebClient.Answer generic = client.get("/generic/PM000001");
    assertThat(generic.status()).isEqualTo(404);
    assertThat(generic.body()).isEqualTo("mine: PM000001");
  }

  @Test
  void plainTextIsMalformedOutside() {
    WebClient.Answer path = client.get("/payments/PM000001");
    WebClient.Answer body = client.post("/payments", "{\"id\":\"PM000001\"}");

    assertThat(path.status()).isEqualTo(400);
    assertThat(path.json().path("detail").asString())
        .isEqualTo("malformed face \"PM000001\": it has 8 characters: expected 31");
    assertThat(body.status()).isEqualTo(400);
    assertThat(body.json().path("pointer").asString()).isEqualTo("#/id");
    assertThat(client.get("/orders/" + ORDER).json().path("parameter").asString()).isEqualTo("id");
    assertThat(client.get("/numbers?id=1").status()).isEqualTo(400);
  }

  @Test
  void theMapperOfTheApplicationWritesPlainTexts() {
    JsonMapper mapper = application.getBean(JsonMapper.class);
    AuthorId author = new AuthorId(Ulid.parse("01FZG96YPZK4SANAG1ZM5T2K9Z"));

    assertThat(mapper.writeValueAsString(new PaymentId(1))).isEqualTo("\"PM000001\"");
    assertThat(mapper.readValue("\"PM000001\"", PaymentId.class)).isEqualTo(new PaymentId(1));
    assertThat(mapper.writeValueAsString(author)).isEqualTo("\"01FZG96YPZK4SANAG1ZM5T2K9Z\"");
  }
}
