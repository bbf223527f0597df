package dev.mintmark;

import static dev.mintmark.KeyringTest.secret;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicReference;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.constraints.LongRange;
import org.junit.jupiter.api.Test;

/** Collections whose face changes: the old one is read until it ends. */
class OldFaceTest {
  private static final Instant END = Instant.parse("2027-06-30T00:00:00Z");
  private static final Instant BEFORE = END.minusNanos(1);
  private static final CollectionSpec.Face NEW = new CollectionSpec.Face("pay", "payments");
  private static final Keyring KEYRING = Keyring.of('a', secret(1));

  private final AtomicReference<Instant> now = new AtomicReference<>(BEFORE);
  private final InstantSource clock = now::get;
  private final List<String> read = new ArrayList<>();

  @InCollection("payments")
  private record PaymentId(long value) {}

  @InCollection("tracks")
  private record TrackId(Ulid value) {}

  private static CollectionSpec.Builder payments() {
    return CollectionSpec.builder("payments", Kind.SEQUENCE).prefix("PM").width(6).face(NEW);
  }

  private static CollectionSpec.Builder tracks() {
    return CollectionSpec.builder("tracks", Kind.ULID)
        .face(new CollectionSpec.Face("trk", "tracks"));
  }

  private Masks masks(CollectionSpec.Builder... collections) {
    Catalog catalog =
        new Catalog(
            "shop",
            java.util.Arrays.stream(collections).map(CollectionSpec.Builder::build).toList(),
            List.of());
    return Masks.of(
        catalog, KEYRING, clock, (collection, accepted) -> read.add(collection + " " + accepted));
  }

  @Test
  void plainTextIsReadUntilItEnds() {
    Mask<PaymentId> mask =
        masks(payments().faceChange(FaceChange.ofText(END, "_str")))
            .find(PaymentId.class)
            .orElseThrow();
    String face = mask.show(new PaymentId(7));

    assertThat(face).startsWith("pay_");
    assertThat(mask.open(face)).isEqualTo(new PaymentId(7));
    assertThat(read).isEmpty();
    assertThat(mask.open("PM000007")).isEqualTo(new PaymentId(7));
    assertThat(read).containsExactly("payments true");
    assertThat(mask.showAlone(new PaymentId(7))).isEqualTo("PM000007");

    now.set(END);
    assertThatThrownBy(() -> mask.open("PM000007"))
        .isInstanceOf(RetiredFaceException.class)
        .hasMessage(
            "retired identifier \"PM000007\": it was accepted until 2027-06-30T00:00:00Z: use the"
                + " one that starts with pay_");
    assertThat(read).containsExactly("payments true", "payments false");
    assertThat(mask.tryOpen("PM000007")).isEmpty();
    assertThat(mask.open(face)).isEqualTo(new PaymentId(7));
    assertThat(mask.showAlone(new PaymentId(7))).isEqualTo(face);
    assertThatThrownBy(() -> mask.open("PX000007")).isInstanceOf(MalformedIdException.class);
  }

  @Property(tries = 100)
  void numbersAreReadByEveryClass(@ForAll @LongRange(min = 1, max = 999_999_999_999L) long number) {
    Masks masks = masks(payments().faceChange(FaceChange.ofNumber(END, "_str")));
    Mask<Long> ofLongs = masks.of(long.class, "payments");
    Mask<PaymentId> ofRecords = masks.find(PaymentId.class).orElseThrow();

    assertThat(ofLongs.open(Long.toString(number))).isEqualTo(number);
    assertThat(ofRecords.open(Long.toString(number))).isEqualTo(new PaymentId(number));
    assertThat(ofRecords.old().orElseThrow().show(new PaymentId(number)))
        .isEqualTo(Long.toString(number));
    assertThat(ofLongs.open(ofLongs.show(number))).isEqualTo(number);
    for (String wrong : List.of("0" + number, "+" + number, number + " ", "", "PM000007")) {
      assertThat(ofLongs.tryOpen(wrong)).as(wrong).isEqualTo(Optional.empty());
    }
  }

  @Test
  void anotherMaskIsReadUntilItEnds() {
    CollectionSpec.Face old = new CollectionSpec.Face("p", "payments");
    Mask<Long> mask =
        masks(payments().faceChange(FaceChange.ofMask(old, END, "_str")))
            .of(long.class, "payments");
    String before = Mask.ofNumbers(KEYRING, old).show(7L);

    assertThat(before).startsWith("p_");
    assertThat(mask.open(before)).isEqualTo(7L);
    now.set(END);
    assertThatThrownBy(() -> mask.open(before)).isInstanceOf(RetiredFaceException.class);
  }

  @Test
  void textIsThatOfTheClass() {
    Masks masks = masks(tracks().faceChange(FaceChange.ofText(END, "_str")));
    UUID uuid = Uuids.parse("017fe093-7adf-9932-aaaa-01fd0ba14d3f");
    Ulid ulid = Ulid.of(uuid);

    assertThat(masks.of(UUID.class, "tracks").open(uuid.toString())).isEqualTo(uuid);
    assertThat(masks.find(TrackId.class).orElseThrow().open(ulid.toString()))
        .isEqualTo(new TrackId(ulid));
  }

  @Test
  void changeMustFit() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> tracks().faceChange(FaceChange.ofNumber(END, "_str")).build())
        .withMessage(
            "collection \"tracks\": an old face that is a number requires storage bigint, found"
                + " uuid");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> payments().faceChange(FaceChange.ofMask(NEW, END, "_str")).build())
        .withMessageContaining("the old and the new face have the mask \"pay\"");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                CollectionSpec.builder("users", Kind.ULID)
                    .faceChange(FaceChange.ofText(END, "_str"))
                    .build())
        .withMessageContaining("requires a new one");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> FaceChange.ofText(END, "-str"))
        .withMessageContaining("malformed suffix");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                masks(
                    payments()
                        .faceChange(
                            FaceChange.ofMask(new CollectionSpec.Face("trk", "old"), END, "_str")),
                    tracks()))
        .withMessageContaining("the mask \"trk\" is taken");
  }

  @Test
  void aFaceMayChangeItsShape() {
    CollectionSpec.Face uuids =
        new CollectionSpec.Face("", "payments", CollectionSpec.Face.Shape.UUID);
    Mask<PaymentId> mask =
        masks(payments().face(uuids).faceChange(FaceChange.ofMask(NEW, END, "_uuid")))
            .find(PaymentId.class)
            .orElseThrow();
    PaymentId id = new PaymentId(7);
    String old = mask.showAlone(id);

    assertThat(old).startsWith("pay_");
    assertThat(UUID.fromString(mask.show(id)).version()).isEqualTo(8);
    assertThat(mask.open(old)).isEqualTo(id);
    assertThat(mask.open(mask.show(id))).isEqualTo(id);
    now.set(END);
    assertThatThrownBy(() -> mask.open(old))
        .isInstanceOf(RetiredFaceException.class)
        .hasMessageEndingWith("use the one that is a UUID of version 8");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () -> payments().face(uuids).faceChange(FaceChange.ofMask(uuids, END, "_")).build())
        .withMessageContaining("two faces that are UUIDs cannot be told apart");
  }
}
