package dev.mintmark.jackson2;

import static dev.mintmark.jackson2.ShopTypes.MASKS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonMappingException;
import com.fasterxml.jackson.databind.exc.MismatchedInputException;
import com.fasterxml.jackson.databind.json.JsonMapper;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Face;
import dev.mintmark.IdType;
import dev.mintmark.InCollection;
import dev.mintmark.MalformedIdException;
import dev.mintmark.Ulid;
import dev.mintmark.jackson2.ShopTypes.PaymentId;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Faces in the JSON of the HTTP edge. */
class FacesTest {
  private static final UUID ORDER = Ulid.parse("01FZG96YPZK4SANAG1ZM5T2K9Z").toUuid();
  private static final JsonMapper APPLICATION = JsonMapper.builder().findAndAddModules().build();
  private static final JsonMapper EDGE =
      APPLICATION.rebuild().addModule(MintmarkModule.withFaces(MASKS)).build();

  private record ById(PaymentId id, Map<PaymentId, Ulid> map) {}

  @SuppressWarnings("ArrayRecordComponent") // As a user may write it.
  private record ByProperty(
      @Face("payments") long id,
      @Face("payments") @Nullable Long refundOf,
      @Face("orders") UUID order,
      @Face("orders") List<Ulid> others,
      @Face("payments") Long[] array) {}

  /** A class of a style older than records. */
  public static final class Bean {
    @Face("payments")
    private long id;

    private long other;

    public long getId() {
      return id;
    }

    public void setId(long id) {
      this.id = id;
    }

    @Face("payments")
    public long getOther() {
      return other;
    }

    public void setOther(long other) {
      this.other = other;
    }

    @Override
    public String toString() {
      return id + " " + other;
    }
  }

  @SuppressWarnings("ArrayRecordComponent") // As a user may write it.
  private record Unmaskable(@Face("payments") long[] ids) {}

  private record UnmaskableMap(@Face("payments") Map<String, Long> ids) {}

  private record Held(@Face("payments") AtomicReference<Long> id) {}

  private record OfAnotherCollection(@Face("orders") long id) {}

  private static String pay(long number) {
    return MASKS.of(long.class, "payments").show(number);
  }

  private static String ord(UUID uuid) {
    return MASKS.of(UUID.class, "orders").show(uuid);
  }

  @Test
  void annotatedClassIsAFaceAtTheEdgeAloneAlsoAsAKey() throws Exception {
    ById id = new ById(new PaymentId(123), Map.of(new PaymentId(7), Ulid.of(ORDER)));
    String plain = "{\"id\":\"PM000123\",\"map\":{\"PM000007\":\"01FZG96YPZK4SANAG1ZM5T2K9Z\"}}";
    String masked = plain.replace("PM000123", pay(123)).replace("PM000007", pay(7));

    assertThat(APPLICATION.writeValueAsString(id)).isEqualTo(plain);
    assertThat(EDGE.writeValueAsString(id)).isEqualTo(masked);
    assertThat(EDGE.readValue(masked, ById.class)).isEqualTo(id);
    assertThat(APPLICATION.readValue(plain, ById.class)).isEqualTo(id);
  }

  /** A mapper that shows plain text because of an order would do so silently. */
  @Test
  void orderOfModulesDoesNotMatter() throws Exception {
    JsonMapper edge =
        JsonMapper.builder()
            .addModule(MintmarkModule.withFaces(MASKS))
            .addModule(MintmarkModule.of(ShopTypes.CATALOG, List.of()))
            .findAndAddModules()
            .build();
    ById id = new ById(new PaymentId(123), Map.of(new PaymentId(7), Ulid.of(ORDER)));

    assertThat(edge.writeValueAsString(id)).isEqualTo(EDGE.writeValueAsString(id));
    assertThat(edge.readValue(EDGE.writeValueAsString(id), ById.class)).isEqualTo(id);
    assertThatThrownBy(() -> edge.readValue("{\"id\":\"PM000123\"}", ById.class))
        .hasCauseInstanceOf(MalformedIdException.class);
    assertThatThrownBy(() -> edge.readValue("{\"map\":{\"PM000007\":null}}", ById.class))
        .hasCauseInstanceOf(MalformedIdException.class);
  }

  @Test
  void annotatedPropertyIsAFace() throws Exception {
    ByProperty row = new ByProperty(123, 7L, ORDER, List.of(Ulid.of(ORDER)), new Long[] {1L, 2L});
    String json =
        "{\"id\":\"%s\",\"refundOf\":\"%s\",\"order\":\"%s\",\"others\":[\"%s\"],\"array\":[\"%s\",\"%s\"]}"
            .formatted(pay(123), pay(7), ord(ORDER), ord(ORDER), pay(1), pay(2));

    assertThat(EDGE.writeValueAsString(row)).isEqualTo(json);
    ByProperty read = EDGE.readValue(json, ByProperty.class);
    assertThat(read).usingRecursiveComparison().isEqualTo(row);
    assertThat(APPLICATION.writeValueAsString(row)).startsWith("{\"id\":123,\"refundOf\":7,");
    assertThat(EDGE.readValue(json.replace("\"" + pay(7) + "\"", "null"), ByProperty.class))
        .extracting(ByProperty::refundOf)
        .isNull();
  }

  @Test
  void fieldsAndGettersAreAnnotatedToo() throws Exception {
    String json = "{\"id\":\"%s\",\"other\":\"%s\"}".formatted(pay(1), pay(2));

    Bean bean = EDGE.readValue(json, Bean.class);

    assertThat(bean).hasToString("1 2");
    assertThat(EDGE.writeValueAsString(bean)).isEqualTo(json);
  }

  /** As an {@code Optional}, which Jackson 2 does not know without another module. */
  @Test
  void elementOfAReferenceIsAFace() throws Exception {
    String json = "{\"id\":\"" + pay(7) + "\"}";

    assertThat(EDGE.writeValueAsString(new Held(new AtomicReference<>(7L)))).isEqualTo(json);
    assertThat(EDGE.readValue(json, Held.class).id()).hasValue(7L);
  }

  @Test
  void plainTextIsRefusedAtTheEdge() {
    assertThatThrownBy(() -> EDGE.readValue("{\"id\":\"PM000123\"}", ById.class))
        .hasMessageContaining("malformed face \"PM000123\"")
        .hasCauseInstanceOf(MalformedIdException.class)
        .satisfies(e -> assertThat(pointer(e)).isEqualTo("#/id"));
    assertThatThrownBy(() -> EDGE.readValue("{\"id\":123}", ByProperty.class))
        .isInstanceOf(MismatchedInputException.class)
        .hasMessageContaining("malformed face: expected a JSON string, found a number");
  }

  @Test
  void forgedFaceIsRefusedWithItsPlace() {
    String forged = pay(1).substring(0, 29) + "00";
    String json = "{\"id\":\"%s\",\"array\":[\"%s\",\"%s\"]}".formatted(pay(1), pay(2), forged);

    assertThatThrownBy(() -> EDGE.readValue(json, ByProperty.class))
        .hasMessageContaining("it was not made with key 'a' of this mask")
        .hasCauseInstanceOf(MalformedIdException.class)
        .satisfies(e -> assertThat(pointer(e)).isEqualTo("#/array/1"));
  }

  /** Zero is the identifier of another row. */
  @Test
  void primitiveWithoutAFaceIsNotZero() {
    assertThatThrownBy(() -> EDGE.readValue("{\"id\":null}", ByProperty.class))
        .hasMessageContaining("malformed face: expected a JSON string, found null, or nothing");
    assertThatThrownBy(() -> EDGE.readValue("{}", ByProperty.class))
        .hasMessageContaining("malformed face: expected a JSON string, found null, or nothing");
  }

  @Test
  void propertyThatCannotBeMaskedIsAnErrorAndIsNotShown() {
    assertThatThrownBy(() -> EDGE.writeValueAsString(new Unmaskable(new long[] {123})))
        .hasMessageContaining("[J cannot wrap an identifier: it is not a record");
    assertThatThrownBy(() -> EDGE.readValue("{\"ids\":[1]}", Unmaskable.class))
        .hasMessageContaining("[J cannot wrap an identifier: it is not a record");
    assertThatThrownBy(() -> EDGE.writeValueAsString(new UnmaskableMap(Map.of("a", 123L))))
        .hasMessageContaining("java.util.Map cannot wrap an identifier: it is not a record");
    assertThatThrownBy(() -> EDGE.writeValueAsString(new OfAnotherCollection(1)))
        .hasMessageContaining("collection \"orders\" is kept as uuid, which no long is");
  }

  /** Neither declared nor a record of one component. */
  @InCollection("payments")
  private record Odd(long half, long rest) {}

  @Test
  void givenTypeSaysHowAMaskedClassIsMade() throws Exception {
    IdType<Odd> odds =
        IdType.wrapping(PaymentId.class, ShopTypes.PAYMENTS)
            .map(
                Odd.class,
                id -> new Odd(id.value() / 2, id.value() % 2),
                odd -> new PaymentId(2 * odd.half() + odd.rest()));
    JsonMapper edge =
        JsonMapper.builder().addModule(MintmarkModule.withFaces(MASKS, List.of(odds))).build();

    assertThat(edge.writeValueAsString(new Odd(3, 1))).isEqualTo("\"" + pay(7) + "\"");
    assertThat(edge.readValue("\"" + pay(7) + "\"", Odd.class)).isEqualTo(new Odd(3, 1));
  }

  /** The face's prefix alone is declared elsewhere; this is what the tests rely on. */
  @Test
  void collectionsOfTheTestsHaveFaces() {
    assertThat(ShopTypes.PAYMENTS.face()).contains(new CollectionSpec.Face("pay", "payments"));
    assertThat(pay(1)).startsWith("pay_a").hasSize(31);
  }

  private static String pointer(Throwable e) {
    return JsonPointers.of((JsonMappingException) e);
  }
}
