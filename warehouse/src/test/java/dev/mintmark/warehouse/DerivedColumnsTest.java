package dev.mintmark.warehouse;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mintmark.CollectionSpec;
import dev.mintmark.Kind;
import dev.mintmark.warehouse.DerivedColumns.Derived;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class DerivedColumnsTest {
  @Test
  void everyKindHasARow() {
    assertThat(DerivedColumns.ROWS).containsOnlyKeys(Kind.values());
  }

  @ParameterizedTest
  @EnumSource(Kind.class)
  void everyKindHasItsPuriLast(Kind kind) {
    CollectionSpec collection = CollectionSpec.builder("things", kind).table("things").build();
    IdExpressions id = new IdExpressions(collection, "shop", "mintmark", "t", new DuckDbDialect());

    assertThat(DerivedColumns.of(kind, id))
        .extracting(Derived::suffix)
        .doesNotHaveDuplicates()
        .last()
        .isEqualTo("_puri");
  }
}
