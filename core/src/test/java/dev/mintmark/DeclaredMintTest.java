package dev.mintmark;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Mints obey what collections declare. */
class DeclaredMintTest {
  /** All identifiers of a test are of one millisecond: only a mint orders them. */
  private static final MintOptions ONE_MILLISECOND =
      MintOptions.DEFAULT.withClock(InstantSource.fixed(Instant.parse("2026-01-31T12:00:00Z")));

  private static final MintDeclaration ASCENDING = MintDeclaration.NONE.withOrder(Order.ASCENDING);

  private record TrackId(UUID value) {}

  private static CollectionSpec tracks(MintDeclaration mint) {
    return CollectionSpec.builder("tracks", Kind.ULID).mint(mint).build();
  }

  private static <T> List<String> mintOneByOne(Mint<T> mint, IdType<T> type) {
    List<String> texts = new ArrayList<>();
    for (int i = 0; i < 200; i++) {
      texts.add(type.format(mint.mint()));
    }
    return texts;
  }

  private static <T> List<String> mintOneByOne(IdType<T> type) {
    return mintOneByOne(Mint.of(type, MintSettings.NONE, ONE_MILLISECOND), type);
  }

  private static <T> List<String> mintAtOnce(IdType<T> type) {
    return Mint.of(type, MintSettings.NONE, ONE_MILLISECOND).mint(200).stream()
        .map(type::format)
        .toList();
  }

  @Test
  void anAscendingCollectionIsMintedInThatOrder() {
    assertThat(mintOneByOne(IdType.of(tracks(ASCENDING)))).isSorted();
    assertThat(mintOneByOne(IdType.of(tracks(ASCENDING)).asText())).isSorted();
    assertThat(mintOneByOne(IdType.wrapping(TrackId.class, tracks(ASCENDING)))).isSorted();
    assertThat(isSorted(mintOneByOne(IdType.of(tracks(MintDeclaration.NONE))))).isFalse();
  }

  @Test
  void typedCollectionsAreMintedInTheDeclaredOrder() {
    Catalog catalog = new Catalog("shop", List.of(tracks(ASCENDING)), List.of());
    TypedCollection<TrackId> typed = Puris.of(catalog).typed("tracks", TrackId.class);

    assertThat(mintOneByOne(typed.idType())).isSorted();
    assertThat(mintOneByOne(typed.puriType())).isSorted();
    assertThat(typed.idType().declaredOrder()).contains(Order.ASCENDING);
  }

  @Test
  void aCacheSharesTheMintOfTheDeclaredOrder() {
    MintCache mints = MintCache.of(ONE_MILLISECOND);
    IdType<?> type = IdType.of(tracks(ASCENDING));

    assertThat(fromCache(mints, type, MintSettings.NONE)).isSorted();
    assertThat(
            isSorted(fromCache(mints, IdType.ulids(), MintSettings.NONE.withOrder(Order.RANDOM))))
        .isFalse();
  }

  private static <T> List<String> fromCache(
      MintCache mints, IdType<T> type, MintSettings settings) {
    return mintOneByOne(mints.mint(type, settings), type);
  }

  private static boolean isSorted(List<String> texts) {
    return texts.equals(texts.stream().sorted().toList());
  }

  @ParameterizedTest
  @EnumSource(
      value = Kind.class,
      names = {"ULID", "UUIDV7", "TYPEID"})
  void theIdentifiersOfOneCallAscendUnlessAnotherOrderIsNamed(Kind kind) {
    IdType<?> type = IdType.of(kind, "");

    assertThat(mintAtOnce(type)).hasSize(200).isSorted().doesNotHaveDuplicates();
    assertThat(isSorted(mintOneByOne(type))).isFalse();
    assertThat(isSorted(inRandomOrder(type))).isFalse();
  }

  private static <T> List<String> inRandomOrder(IdType<T> type) {
    return Mint.of(type, MintSettings.NONE.withOrder(Order.RANDOM), ONE_MILLISECOND)
        .mint(200)
        .stream()
        .map(type::format)
        .toList();
  }

  @Test
  void aCollectionThatTheServerMintsHasNoMint() {
    CollectionSpec tracks = tracks(MintDeclaration.NONE.withPlace(MintDeclaration.Place.SERVER));

    for (IdType<?> type :
        List.of(
            IdType.of(tracks),
            IdType.of(tracks).asText(),
            IdType.wrapping(TrackId.class, tracks))) {
      assertThatThrownBy(type::mint)
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("collection \"tracks\": it declares mint: server");
    }
  }

  @Test
  void whatTheApplicationMintsIsMinted() {
    CollectionSpec tracks = tracks(ASCENDING.withPlace(MintDeclaration.Place.APPLICATION));

    assertThat(mintOneByOne(IdType.of(tracks))).isSorted();
  }
}
