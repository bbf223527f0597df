package dev.mintmark;

import java.util.function.Predicate;
import java.util.stream.Stream;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.Combinators;
import net.jqwik.api.Provide;
import net.jqwik.api.domains.DomainContextBase;

/** Any 128 bits, for properties; those at which a signed half turns or overflows more often. */
final class Ids extends DomainContextBase {
  @Provide
  Arbitrary<Ulid> ulids() {
    Arbitrary<Long> halves =
        Arbitraries.longs()
            .edgeCases(edges -> edges.includeOnly(0L, 1L, -1L, Long.MAX_VALUE, Long.MIN_VALUE));
    return Combinators.combine(halves, halves).as(Ulid::of);
  }

  /** The forms that have a property. A form that is assumed away would be a try that is lost. */
  static Arbitrary<Form> forms(Predicate<Form> predicate) {
    return Arbitraries.of(Stream.of(Form.values()).filter(predicate).toList());
  }
}
