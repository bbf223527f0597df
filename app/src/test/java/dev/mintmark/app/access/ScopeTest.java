package dev.mintmark.app.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.app.access.Scope.Kind;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What scopes permit. */
class ScopeTest {
  @ParameterizedTest
  @EnumSource
  void aLabelIsRead(Kind kind) {
    assertThat(Scope.parse(kind.label())).isEqualTo(Scope.of(kind));
    assertThat(Scope.of(kind).text()).isEqualTo(kind.label());
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "claims",
        "claim:",
        "claim:a b",
        "claim:a:b",
        "audit:read:x",
        "admin:x",
        "Claim"
      })
  void malformedScopesAreRejected(String text) {
    assertThatIllegalArgumentException()
        .isThrownBy(() -> Scope.parse(text))
        .withMessageStartingWith("unknown scope \"" + text + "\": expected admin, ")
        .withMessageContaining("claim[:NAME]");
  }

  @ParameterizedTest
  @CsvSource({
    "admin, AUDIT_READ, *, true",
    "claim, CLAIM, workers, true",
    "claim:*, CLAIM, *, true",
    "claim:workers, CLAIM, workers, true",
    "claim:workers, CLAIM, worker, false",
    "claim:workers, CLAIM, *, false",
    "claim:workers, POOLS_READ, workers, false",
    "pools:admin:workers, POOLS_READ, workers, true",
    "pools:admin:workers, POOLS_READ, other, false",
    "pools:admin, CLAIM, workers, false",
    "pools:read, POOLS_ADMIN, workers, false",
    "migrations:admin, MIGRATIONS_READ, *, true",
    "keys:admin, AUDIT_READ, *, false",
  })
  void aScopePermitsWhatItSays(String scope, Kind kind, String name, boolean permits) {
    assertThat(Scope.parse(scope).permits(kind, name)).isEqualTo(permits);
    assertThat(Scope.covers(List.of(Scope.parse(scope)), new Scope(kind, name))).isEqualTo(permits);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "admin",
        "pools:admin",
        "find",
        "keys:admin",
        "audit:read",
        "metrics:read",
        "migrations:read",
        "migrations:admin"
      })
  void aKeyWithAnOwnerCannotReachOthers(String scope) {
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new KeyRequest(
                    "k", List.of(Scope.parse(scope)), Optional.of("acme"), Optional.empty()))
        .withMessage(
            "scope %s reaches what belongs to other owners: a key with an owner cannot have it"
                .formatted(scope));
  }
}
