package dev.mintmark.jackson2;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.annotation.JsonAlias;
import com.fasterxml.jackson.annotation.JsonAnyGetter;
import com.fasterxml.jackson.annotation.JsonFilter;
import com.fasterxml.jackson.annotation.JsonIgnoreProperties;
import com.fasterxml.jackson.annotation.JsonIncludeProperties;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;
import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.MapperFeature;
import com.fasterxml.jackson.databind.PropertyNamingStrategies;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.ser.impl.SimpleBeanPropertyFilter;
import com.fasterxml.jackson.databind.ser.impl.SimpleFilterProvider;
import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Face;
import dev.mintmark.FaceChange;
import dev.mintmark.InCollection;
import dev.mintmark.Keyring;
import dev.mintmark.Kind;
import dev.mintmark.MalformedIdException;
import dev.mintmark.Masks;
import dev.mintmark.OldFaceListener;
import dev.mintmark.RetiredFaceException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** JSON of the HTTP edge while the face of a collection changes. */
class FaceChangeTest {
  private static final Instant END = Instant.parse("2027-06-30T00:00:00Z");
  private static final UUID ORDER = UUID.fromString("017fe093-7adf-7932-aaaa-01fd0ba14d3f");
  private static final Catalog CATALOG =
      new Catalog(
          "shop",
          List.of(
              CollectionSpec.builder("tickets", Kind.SEQUENCE)
                  .face(new CollectionSpec.Face("tck", "tickets"))
                  .faceChange(FaceChange.ofNumber(END, "_str"))
                  .build(),
              CollectionSpec.builder("orders", Kind.UUIDV7)
                  .face(new CollectionSpec.Face("ord", "orders"))
                  .faceChange(FaceChange.ofText(END, "Id"))
                  .build()),
          List.of());

  private final AtomicReference<Instant> now = new AtomicReference<>(END.minusMillis(1));
  private final Masks masks =
      Masks.of(
          CATALOG,
          Keyring.parse("a:MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY="),
          now::get,
          OldFaceListener.NONE);
  private final JsonMapper edge =
      JsonMapper.builder().findAndAddModules().addModule(MintmarkModule.withFaces(masks)).build();
  private final String face = masks.of(long.class, "tickets").show(123L);
  private final String orderFace = masks.of(UUID.class, "orders").show(ORDER);

  @InCollection("tickets")
  private record TicketId(long value) {}

  private record Ticket(TicketId id, @Face("orders") @Nullable UUID order) {}

  private record Tickets(List<TicketId> ids, Map<TicketId, Integer> seats, String name) {}

  private record Numbers(@JsonAlias("number") @Face("tickets") long first) {}

  private record Renamed(@JsonProperty("ticket") TicketId id) {}

  private record TicketNumber(TicketId ticketId) {}

  private record Taken(TicketId id, @JsonProperty("id_str") String other) {}

  @com.fasterxml.jackson.annotation.JsonFormat(
      shape = com.fasterxml.jackson.annotation.JsonFormat.Shape.ARRAY)
  private record Row(TicketId id, int seat) {}

  /** A class with setters. */
  public static final class Bean {
    @Face("tickets")
    private long id;

    public long getId() {
      return id;
    }

    public void setId(long id) {
      this.id = id;
    }
  }

  private record Ignoring(@JsonIgnoreProperties("id") List<Ticket> tickets) {}

  private record Including(@JsonIncludeProperties("id") Ticket ticket) {}

  @JsonFilter("names")
  private record Filtered(TicketId id, @Face("orders") UUID order) {}

  private record Open(TicketId id, @JsonAnyGetter Map<String, TicketId> others) {}

  private record Seated(@JsonUnwrapped(prefix = "left_") Ticket left) {}

  /** A class with a list that is changed in place. */
  public static final class Basket {
    private final List<TicketId> ids = new ArrayList<>();

    public List<TicketId> getIds() {
      return ids;
    }
  }

  private String written(Object value) throws Exception {
    return edge.writeValueAsString(value).replace(face, "NEW").replace(orderFace, "ORDER");
  }

  private <T> T read(String json, Class<T> type) throws Exception {
    return edge.readValue(json.replace("NEW", face).replace("ORDER", orderFace), type);
  }

  @Test
  void objectsHaveBothFacesUntilTheOldOneEnds() throws Exception {
    Ticket ticket = new Ticket(new TicketId(123), ORDER);

    assertThat(written(ticket))
        .isEqualTo(
            "{\"id\":123,\"id_str\":\"NEW\",\"order\":\"%s\",\"orderId\":\"ORDER\"}"
                .formatted(ORDER));
    assertThat(written(new Ticket(new TicketId(123), null)))
        .isEqualTo("{\"id\":123,\"id_str\":\"NEW\",\"order\":null,\"orderId\":null}");

    now.set(END);
    assertThat(written(ticket))
        .isEqualTo("{\"id\":\"NEW\",\"id_str\":\"NEW\",\"order\":\"ORDER\",\"orderId\":\"ORDER\"}");
  }

  @Test
  void listsAndMapsHaveAPropertyOfTheirOwnForTheNewFace() throws Exception {
    Tickets tickets = new Tickets(List.of(new TicketId(123)), Map.of(new TicketId(123), 7), "fair");

    String json = written(tickets);
    assertThat(json)
        .contains("\"ids\":[123]")
        .contains("\"ids_str\":[\"NEW\"]")
        .contains("\"seats\":{\"123\":7}")
        .contains("\"seats_str\":{\"NEW\":7}")
        .doesNotContain("name_str");
    assertThat(read(json, Tickets.class)).isEqualTo(tickets);
    assertThat(written(List.of(new TicketId(123)))).isEqualTo("[123]");
    assertThat(written(new Row(new TicketId(123), 7))).isEqualTo("[123,7]");

    now.set(END);
    assertThat(written(List.of(new TicketId(123)))).isEqualTo("[\"NEW\"]");
    assertThat(written(new Row(new TicketId(123), 7))).isEqualTo("[\"NEW\",7]");
  }

  @Test
  void bothFacesAreReadUnderBothNames() throws Exception {
    for (String json :
        List.of(
            "{\"id\":123}",
            "{\"id\":\"123\"}",
            "{\"id\":\"NEW\"}",
            "{\"id_str\":\"NEW\"}",
            "{\"id\":123,\"id_str\":\"NEW\"}")) {
      assertThat(read(json, Ticket.class)).as(json).isEqualTo(new Ticket(new TicketId(123), null));
      assertThat(read(json, Bean.class).getId()).as(json).isEqualTo(123);
    }
    assertThat(read("{\"order\":\"%s\"}".formatted(ORDER), Order.class).order()).isEqualTo(ORDER);
    assertThat(read("{\"orderId\":\"ORDER\"}", Order.class).order()).isEqualTo(ORDER);
  }

  private record Order(@Face("orders") UUID order) {}

  /** JavaScript has rounded the number of an object that a client sends back. */
  @Test
  void ofTwoPropertiesTheLastIsRead() throws Exception {
    assertThat(read("{\"id\":124,\"id_str\":\"NEW\"}", Ticket.class).id())
        .isEqualTo(new TicketId(123));
  }

  @Test
  void namesOfPropertiesAreThoseOfTheMapper() throws Exception {
    assertThat(written(new Renamed(new TicketId(123))))
        .isEqualTo("{\"ticket\":123,\"ticket_str\":\"NEW\"}");
    assertThat(read("{\"ticket_str\":\"NEW\"}", Renamed.class))
        .isEqualTo(new Renamed(new TicketId(123)));
    assertThat(read("{\"number\":123}", Numbers.class).first()).isEqualTo(123);
    assertThat(read("{\"first_str\":\"NEW\"}", Numbers.class).first()).isEqualTo(123);
    assertThat(written(new Taken(new TicketId(123), "x")))
        .isEqualTo("{\"id\":123,\"id_str\":\"x\"}");

    JsonMapper snake =
        JsonMapper.builder()
            .propertyNamingStrategy(PropertyNamingStrategies.SNAKE_CASE)
            .addModule(MintmarkModule.withFaces(masks))
            .build();
    String json = snake.writeValueAsString(new TicketNumber(new TicketId(123)));
    assertThat(json).isEqualTo("{\"ticket_id\":123,\"ticket_id_str\":\"%s\"}".formatted(face));
    assertThat(snake.readValue("{\"ticket_id_str\":\"%s\"}".formatted(face), TicketNumber.class))
        .isEqualTo(new TicketNumber(new TicketId(123)));
  }

  @Test
  void excludedPropertyIsExcludedInBothFaces() throws Exception {
    Ticket ticket = new Ticket(new TicketId(123), ORDER);
    String order = "\"order\":\"%s\",\"orderId\":\"ORDER\"".formatted(ORDER);

    assertThat(written(new Ignoring(List.of(ticket))))
        .isEqualTo("{\"tickets\":[{%s}]}".formatted(order));
    assertThat(written(new Including(ticket)))
        .isEqualTo("{\"ticket\":{\"id\":123,\"id_str\":\"NEW\"}}");

    SimpleFilterProvider withoutId =
        new SimpleFilterProvider()
            .addFilter("names", SimpleBeanPropertyFilter.serializeAllExcept("id"));
    String json = edge.writer(withoutId).writeValueAsString(new Filtered(ticket.id(), ORDER));
    assertThat(json.replace(orderFace, "ORDER")).isEqualTo("{%s}".formatted(order));
  }

  @Test
  void furtherPropertiesOfAMapHaveOneFace() throws Exception {
    assertThat(written(new Open(new TicketId(123), Map.of("next", new TicketId(123)))))
        .isEqualTo("{\"id\":123,\"id_str\":\"NEW\",\"next\":123}");
  }

  @Test
  void prefixOfAnUnwrappedObjectIsThatOfBothNames() throws Exception {
    assertThat(written(new Seated(new Ticket(new TicketId(123), ORDER))))
        .isEqualTo(
            "{\"left_id\":123,\"left_id_str\":\"NEW\",\"left_order\":\"%s\",\"left_orderId\":\"ORDER\"}"
                .formatted(ORDER));
  }

  @Test
  void listThatIsChangedInPlaceIsReadUnderBothNames() throws Exception {
    JsonMapper inPlace = edge.rebuild().enable(MapperFeature.USE_GETTERS_AS_SETTERS).build();

    for (String json : List.of("{\"ids\":[123]}", "{\"ids_str\":[\"%s\"]}".formatted(face))) {
      assertThat(inPlace.readValue(json, Basket.class).getIds())
          .as(json)
          .containsExactly(new TicketId(123));
    }
  }

  @Test
  void oldFaceIsRejectedAfterItsEnd() {
    now.set(END);

    for (String json : List.of("{\"id\":123}", "{\"id\":\"123\"}")) {
      assertThatThrownBy(() -> read(json, Ticket.class))
          .isInstanceOf(JsonMappingException.class)
          .satisfies(e -> assertThat(JsonPointers.of((JsonMappingException) e)).isEqualTo("#/id"))
          .cause()
          .isInstanceOf(RetiredFaceException.class)
          .hasMessage(
              "retired identifier \"123\": it was accepted until 2027-06-30T00:00:00Z: use the one"
                  + " that starts with tck_");
    }
    assertThatThrownBy(() -> read("{\"id\":1.5}", Ticket.class))
        .hasCauseInstanceOf(MalformedIdException.class);
  }
}
