package dev.mintmark.app.service;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.MintCache;
import dev.mintmark.MintDeclaration;
import dev.mintmark.MintDeclaration.Place;
import dev.mintmark.Order;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Commands and HTTP mint in the declared order. All ids of a test are of one millisecond. */
class MintRequestTest {
  private final MintCache mints = MintCache.at(Instant.parse("2026-01-31T12:00:00Z"));

  private static MintRequest tracks(MintDeclaration mint) {
    CollectionSpec tracks = CollectionSpec.builder("tracks", Kind.UUIDV7).mint(mint).build();
    return MintRequest.of(new Catalog("shop", List.of(tracks), List.of()), "tracks");
  }

  private static MintRequest.Settings in(Order order) {
    return new MintRequest.Settings(Optional.of(order), Optional.empty(), Optional.empty());
  }

  private List<String> minted(MintRequest request) {
    return Stream.generate(request.source(mints, Optional.empty())).limit(500).toList();
  }

  private boolean isAscending(MintRequest request) {
    List<String> ids = minted(request);
    return ids.equals(ids.stream().sorted().toList());
  }

  @Test
  void idsAscendUnlessAnotherOrderIsNamed() {
    assertThat(isAscending(MintRequest.of(Kind.ULID))).isTrue();
    assertThat(isAscending(MintRequest.of(Kind.UUIDV7))).isTrue();
    assertThat(isAscending(tracks(MintDeclaration.NONE))).isTrue();
    assertThat(isAscending(MintRequest.of(Kind.ULID).with(in(Order.RANDOM)))).isFalse();
    assertThat(minted(MintRequest.of(Kind.UUIDV4))).doesNotHaveDuplicates();
  }

  @Test
  void aCollectionIsMintedInTheOrderThatItDeclares() {
    MintRequest random = tracks(MintDeclaration.NONE.withOrder(Order.RANDOM));

    assertThat(isAscending(random)).isFalse();
    assertThat(isAscending(tracks(MintDeclaration.NONE.withOrder(Order.ASCENDING)))).isTrue();
    assertThatThrownBy(() -> random.with(in(Order.SPEC)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("collection \"tracks\" declares the order random: found spec");
  }

  @Test
  void whatTheServerMintsIsNotMintedHere() {
    MintRequest byServer = tracks(MintDeclaration.NONE.withPlace(Place.SERVER));

    assertThatThrownBy(() -> byServer.source(mints, Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("collection \"tracks\": it declares mint: server");
    assertThat(minted(tracks(MintDeclaration.NONE.withPlace(Place.APPLICATION)))).hasSize(500);
  }
}
