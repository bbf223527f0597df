package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Records of a program as identifiers of a collection. */
class WrappingTest {
  private static final String ULID = "01FZG96YPZK4SANAG1ZM5T2K9Z";
  private static final UUID UUID_VALUE = UUID.fromString("017fe093-7adf-9932-aaaa-01fd0ba14d3f");

  private static final CollectionSpec PAYMENTS =
      CollectionSpec.builder("payments", Kind.SEQUENCE)
          .prefix("PM")
          .width(6)
          .aliases(List.of("charges"))
          .build();
  private static final CollectionSpec TRACKS = CollectionSpec.builder("tracks", Kind.ULID).build();
  private static final Catalog CATALOG = new Catalog("shop", List.of(PAYMENTS, TRACKS), List.of());

  @InCollection("payments")
  private record PaymentId(long value) {}

  @InCollection("charges")
  private record ChargeId(Long value) {}

  private record SequencePaymentId(SequenceId value) {}

  private record TextPaymentId(String value) {}

  private record TrackId(Ulid value) {}

  private record UuidTrackId(UUID value) {}

  private record TextTrackId(String value) {}

  private record UserId(TypeId value) {}

  private record Picky(long value) {
    Picky {
      if (value == 13) {
        throw new IllegalStateException("13 is not sold");
      }
    }
  }

  private record Two(long value, long other) {}

  @InCollection("invoices")
  private record InvoiceId(long value) {}

  @Test
  void recordsWrapEveryClassThatHoldsTheIdentifier() {
    assertWraps(PAYMENTS, "PM000123", new PaymentId(123));
    assertWraps(PAYMENTS, "PM000123", new ChargeId(123L));
    assertWraps(
        PAYMENTS, "PM000123", new SequencePaymentId(new SequenceId.Format("PM", 6).of(123)));
    assertWraps(PAYMENTS, "PM000123", new TextPaymentId("PM000123"));
    assertWraps(TRACKS, ULID, new TrackId(Ulid.parse(ULID)));
    assertWraps(TRACKS, ULID, new UuidTrackId(UUID_VALUE));
    assertWraps(TRACKS, ULID, new TextTrackId(ULID));
    assertWraps(collection(Kind.UUIDV7), UUID_VALUE.toString(), new UuidTrackId(UUID_VALUE));
    assertWraps(
        CollectionSpec.builder("users", Kind.TYPEID).prefix("user").build(),
        "user_01fzg96ypzk4sanag1zm5t2k9z",
        new UserId(TypeId.of("user", UUID_VALUE)));
    assertWraps(collection(Kind.SNOWFLAKE), "18446744073709551615", new PaymentId(-1));
    assertWraps(collection(Kind.TSID), "FZZZZZZZZZZZZ", new PaymentId(-1));
    assertWraps(
        collection(Kind.KSUID),
        "0ujtsYcgvSTl8PAuAdqWYSMnLOv",
        new TextTrackId("0ujtsYcgvSTl8PAuAdqWYSMnLOv"));
    assertWraps(
        collection(Kind.NANOID), "V1StGXR8_Z5jdHi6B-myT", new TextTrackId("V1StGXR8_Z5jdHi6B-myT"));
  }

  @SuppressWarnings("unchecked")
  private static <W> void assertWraps(CollectionSpec collection, String text, W id) {
    IdType<W> type = IdType.wrapping((Class<W>) id.getClass(), collection);

    assertThat(type.parse(text)).isEqualTo(id);
    assertThat(type.format(id)).isEqualTo(text);
    assertThat(type.javaType()).isEqualTo(id.getClass());
    assertThat(type.storage()).isEqualTo(collection.storage());
    assertThat(type.fromStored(type.toStored(id))).isEqualTo(id);
  }

  @Test
  void columnOfTextHoldsTheTextOfANumber() {
    CollectionSpec asText =
        CollectionSpec.builder("payments", Kind.SEQUENCE)
            .prefix("PM")
            .width(6)
            .storage(Kind.Storage.TEXT)
            .build();
    IdType<PaymentId> type = IdType.wrapping(PaymentId.class, asText);

    assertThat(type.toStored(new PaymentId(7))).isEqualTo(new ColumnValue.Text("PM000007"));
    assertThat(type.fromStored(new ColumnValue.Text("PM000007"))).isEqualTo(new PaymentId(7));
  }

  @Test
  void whatTheCollectionDoesNotHoldIsMalformedWhenItIsWritten() {
    assertThatThrownBy(() -> IdType.wrapping(PaymentId.class, PAYMENTS).format(new PaymentId(-1)))
        .isInstanceOf(MalformedIdException.class);
    assertThatThrownBy(
            () ->
                IdType.wrapping(TextPaymentId.class, PAYMENTS)
                    .toStored(new TextPaymentId("MD000123")))
        .isInstanceOf(MalformedIdException.class)
        .hasMessage("malformed sequence id \"MD000123\": expected prefix \"PM\", found \"MD\"");
  }

  @Test
  void exceptionsOfTheConstructorPassThrough() {
    IdType<Picky> type = IdType.wrapping(Picky.class, PAYMENTS);

    assertThat(type.parse("PM000012")).isEqualTo(new Picky(12));
    assertThatThrownBy(() -> type.parse("PM000013"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("13 is not sold");
  }

  private record NullId(@Nullable Long value) {}

  @Test
  void nullComponentIsNamed() {
    IdType<NullId> type = IdType.wrapping(NullId.class, PAYMENTS);

    assertThatThrownBy(() -> type.format(new NullId(null)))
        .isInstanceOf(NullPointerException.class)
        .hasMessageEndingWith("NullId.value is null");
  }

  @Test
  void otherClassesAreRefused() {
    assertRefused(
        String.class, PAYMENTS, "it is not a record: expected a record with one component");
    assertRefused(Two.class, PAYMENTS, "it has 2 components: expected a record with one");
    assertRefused(
        TrackId.class,
        PAYMENTS,
        "its component is of dev.mintmark.Ulid: expected long, SequenceId or String for collection"
            + " \"payments\" of kind sequence");
    assertRefused(
        PaymentId.class,
        TRACKS,
        "its component is of java.lang.Long: expected UUID, Ulid or String for collection"
            + " \"tracks\" of kind ulid");
    assertRefused(
        PaymentId.class,
        collection(Kind.XID),
        "its component is of java.lang.Long: expected Xid or String for collection \"others\" of kind"
            + " xid");
    assertRefused(
        PaymentId.class,
        collection(Kind.NANOID),
        "its component is of java.lang.Long: expected String for collection \"others\" of kind"
            + " nanoid");
  }

  private static void assertRefused(Class<?> type, CollectionSpec collection, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> IdType.wrapping(type, collection))
        .withMessage(type.getName() + " cannot wrap an identifier: " + why);
  }

  @Test
  void annotationNamesTheCollectionOfAClass() {
    assertThat(CATALOG.idType(PaymentId.class).parse("PM000123")).isEqualTo(new PaymentId(123));
    assertThat(CATALOG.idType(ChargeId.class).parse("PM000123")).isEqualTo(new ChargeId(123L));
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CATALOG.idType(TrackId.class))
        .withMessage(
            TrackId.class.getName()
                + " has no annotation @InCollection: expected one with a collection");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> CATALOG.idType(InvoiceId.class))
        .withMessage("the catalog has no collection \"invoices\" in the namespace \"shop\"");
  }

  private static CollectionSpec collection(Kind kind) {
    return CollectionSpec.builder("others", kind).build();
  }
}
