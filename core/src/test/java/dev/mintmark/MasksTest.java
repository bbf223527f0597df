package dev.mintmark;

import static dev.mintmark.KeyringTest.secret;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** The masks of a catalog, as adapters ask for them. */
class MasksTest {
  private static final CollectionSpec.Face PAYMENT_FACE =
      new CollectionSpec.Face("pay", "payments");
  private static final CollectionSpec.Face TRACK_FACE = new CollectionSpec.Face("trk", "tracks");
  private static final SequenceId.Format PM = new SequenceId.Format("PM", 6);
  private static final Keyring KEYRING = Keyring.of('a', secret(1));
  private static final Mask<Long> NUMBERS = Mask.ofNumbers(KEYRING, PAYMENT_FACE);
  private static final Mask<UUID> UUIDS = Mask.ofUuids(KEYRING, TRACK_FACE);

  private static final Masks MASKS =
      Masks.of(
          new Catalog(
              "shop",
              List.of(
                  CollectionSpec.builder("payments", Kind.SEQUENCE)
                      .prefix("PM")
                      .width(6)
                      .aliases(List.of("charges"))
                      .face(PAYMENT_FACE)
                      .build(),
                  CollectionSpec.builder("tracks", Kind.ULID).face(TRACK_FACE).build(),
                  CollectionSpec.builder("users", Kind.ULID).build()),
              List.of()),
          KEYRING);

  @InCollection("payments")
  private record PaymentId(long value) {}

  @InCollection("tracks")
  private record TrackId(UUID value) {}

  @InCollection("users")
  private record UserId(Ulid value) {}

  @InCollection("invoices")
  private record InvoiceId(long value) {}

  @InCollection("tracks")
  private record NumberedTrackId(long value) {}

  private record PlainId(long value) {}

  @Test
  void annotatedClassHasTheMaskOfItsCollection() {
    Mask<PaymentId> payments = MASKS.find(PaymentId.class).orElseThrow();
    Mask<TrackId> tracks = MASKS.find(TrackId.class).orElseThrow();
    UUID uuid = Uuids.parse("017fe093-7adf-9932-aaaa-01fd0ba14d3f");

    assertThat(payments.show(new PaymentId(123))).isEqualTo(NUMBERS.show(123L));
    assertThat(payments.open(NUMBERS.show(123L))).isEqualTo(new PaymentId(123));
    assertThat(tracks.show(new TrackId(uuid))).isEqualTo(UUIDS.show(uuid));
    assertThat(tracks.open(UUIDS.show(uuid))).isEqualTo(new TrackId(uuid));
  }

  @Test
  void classWithoutACollectionOrFaceHasNoMask() {
    assertThat(MASKS.find(PlainId.class)).isEmpty();
    assertThat(MASKS.find(UserId.class)).isEmpty();
    assertThat(MASKS.find(String.class)).isEmpty();
    assertThat(MASKS.find(IdType.ulids(), "users")).isEmpty();
    assertThat(MASKS.find(IdType.ulids(), "tracks")).isPresent();
  }

  @Test
  void annotatedClassThatDoesNotFitIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MASKS.find(InvoiceId.class))
        .withMessage("the catalog has no collection \"invoices\" in the namespace \"shop\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MASKS.find(NumberedTrackId.class))
        .withMessageContaining("expected UUID, Ulid or String for collection \"tracks\"");
  }

  @Test
  void propertyHasTheMaskOfItsClassAndCollection() {
    String face = NUMBERS.show(123L);

    assertThat(MASKS.of(long.class, "payments").open(face)).isEqualTo(123L);
    assertThat(MASKS.of(Long.class, "Charges").show(123L)).isEqualTo(face);
    assertThat(MASKS.of(SequenceId.class, "payments").open(face)).isEqualTo(PM.of(123));
    assertThat(MASKS.of(PlainId.class, "payments").open(face)).isEqualTo(new PlainId(123));
    assertThat(MASKS.of(IdType.sequences(PM), "payments").show(PM.of(123))).isEqualTo(face);
    Ulid ulid = Ulid.mint();
    assertThat(MASKS.of(UUID.class, "tracks").open(UUIDS.show(ulid.toUuid())))
        .isEqualTo(ulid.toUuid());
    assertThat(MASKS.of(Ulid.class, "tracks").open(UUIDS.show(ulid.toUuid()))).isEqualTo(ulid);
  }

  @Test
  void typeThatIsGivenReadsTheOpenedNumber() {
    record Declared(long value) {}
    IdType<Declared> plusOne =
        IdType.sequences(PM)
            .map(Declared.class, id -> new Declared(id.number() + 1), id -> PM.of(id.value() - 1));

    assertThat(MASKS.of(plusOne, "payments").open(NUMBERS.show(123L))).isEqualTo(new Declared(124));
  }

  @Test
  void classOfAnotherCollectionIsRefused() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MASKS.of(UUID.class, "payments"))
        .withMessage("collection \"payments\" is kept as bigint, which no java.util.UUID is");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MASKS.of(long.class, "users"))
        .withMessage("collection \"users\" has no face: declare one");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MASKS.of(Ulid.class, "payments"))
        .withMessage(
            "dev.mintmark.Ulid is not of collection \"payments\": it is ulid in uuid, the"
                + " collection is sequence in bigint");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MASKS.of(String.class, "payments"))
        .withMessageStartingWith("java.lang.String cannot wrap an identifier: it is not a record");
  }

  @Test
  void forgedFaceIsRefused() {
    String face = NUMBERS.show(123L);
    String forged = face.substring(0, face.length() - 1) + (face.endsWith("0") ? '1' : '0');

    assertThatThrownBy(() -> MASKS.find(PaymentId.class).orElseThrow().open(forged))
        .isInstanceOf(MalformedIdException.class)
        .hasMessageEndingWith("it was not made with key 'a' of this mask");
  }
}
