package dev.mintmark.operations.migrate;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.Kind;
import org.junit.jupiter.api.Test;

class KindSqlTest {
  @Test
  void everyKindHasARow() {
    assertThat(KindSql.ROWS).containsOnlyKeys(Kind.values());
  }

  @Test
  void whatTheServerMintsItCanFillAndIsKeptAsUuid() {
    KindSql.ROWS.forEach(
        (kind, row) -> {
          assertThat(row.fill().isPresent()).as(kind.label()).isEqualTo(row.mint().isPresent());
          assertThat(row.mint().isPresent())
              .as(kind.label())
              .isEqualTo(kind.storage() == Kind.Storage.UUID);
        });
  }
}
