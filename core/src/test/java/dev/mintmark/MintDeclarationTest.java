package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.MintDeclaration.OldRows;
import dev.mintmark.MintDeclaration.Place;
import org.junit.jupiter.api.Test;

/** The words of a catalog on minting, and for which kinds they have a meaning. */
class MintDeclarationTest {
  private static final MintDeclaration NONE = MintDeclaration.NONE;

  @Test
  void ordersAreAscendingOrRandom() {
    assertThat(MintDeclaration.parseOrder("ascending")).isEqualTo(Order.ASCENDING);
    assertThat(MintDeclaration.parseOrder("random")).isEqualTo(Order.RANDOM);
    assertThat(NONE.withOrder(Order.RANDOM).order()).contains(Order.RANDOM);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MintDeclaration.parseOrder("ascendin"))
        .withMessage(
            "unknown order \"ascendin\": did you mean \"ascending\"? expected one of ascending, random");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NONE.withOrder(Order.PER_THREAD))
        .withMessageContaining("\"per-thread\"");
  }

  @Test
  void oneOfTwoPlacesMints() {
    assertThat(NONE.isByServer()).isFalse();
    assertThat(NONE.isByApplication()).isFalse();
    assertThat(NONE.withPlace(Place.SERVER).isByServer()).isTrue();
    assertThat(NONE.withPlace(Place.SERVER).isByApplication()).isFalse();
    assertThat(NONE.withPlace(Place.APPLICATION).isByApplication()).isTrue();
    assertThat(NONE.withPlace(Place.APPLICATION).isByServer()).isFalse();
  }

  @Test
  void wordsThatAKindHasAreAccepted() {
    MintDeclaration words = NONE.withOrder(Order.ASCENDING).withPlace(Place.SERVER);

    words.check(Kind.ULID, false, false);
    words.withOldRows(OldRows.CREATED).check(Kind.ULID, true, true);
    words.withOldRows(OldRows.NOW).check(Kind.ULID, true, false);
    NONE.withOldRows(OldRows.NONE).check(Kind.KSUID, true, false);
    NONE.withPlace(Place.APPLICATION).check(Kind.KSUID, false, false);
  }

  @Test
  void wordsThatAKindDoesNotHaveAreRefused() {
    refused(NONE.withOrder(Order.RANDOM), Kind.UUIDV4, "kind uuidv4 has no order: that is of ");
    refused(NONE.withPlace(Place.SERVER), Kind.KSUID, "kind ksuid has no mint by the server: ");
    refused(NONE.withPlace(Place.APPLICATION), Kind.SEQUENCE, "kind sequence ");
    refused(NONE.withOldRows(OldRows.NOW), Kind.KSUID, "kind ksuid has no mint for old rows: ");
  }

  private static void refused(MintDeclaration words, Kind kind, String why) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> words.check(kind, true, true))
        .withMessageStartingWith(why);
  }

  @Test
  void oldRowsNeedATableAndTheirTimeAColumn() {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NONE.withOldRows(OldRows.NONE).check(Kind.ULID, false, false))
        .withMessageStartingWith("it has \"old-rows\" and no \"table\"");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> NONE.withOldRows(OldRows.CREATED).check(Kind.ULID, true, false))
        .withMessageStartingWith("it has \"old-rows: created\" and no \"created\"");
  }

  @Test
  void settingsThatAKindDoesNotHaveAreRefusedWithTheKindsThatDo() {
    MintSettings.NONE.withOrder(Order.SPEC).check(Kind.ULID);
    MintSettings.NONE.withNode(1).check(Kind.TSID);
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MintSettings.NONE.withOrder(Order.RANDOM).check(Kind.TSID))
        .withMessage("kind tsid has no order: that is of ulid, uuidv7 and typeid");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> MintSettings.NONE.withNode(1).check(Kind.ULID))
        .withMessageMatching("kind ulid has no node: that is of .+ and .+");
  }
}
