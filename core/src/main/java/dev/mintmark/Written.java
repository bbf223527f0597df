package dev.mintmark;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;

/** The notations of a layout, and the evidence of each. */
record Written(Map<Notation, Evidence> evidence) {
  static final Written AS_UUID =
      asBits(Evidence.MARK).or(Evidence.MARK, Notation.ULID, Notation.HYPHENATED_ULID);

  static Written as(Evidence evidence, Notation... notations) {
    return new Written(Map.of()).or(evidence, notations);
  }

  static Written asUuid(Evidence evidence) {
    return as(evidence, Notation.OF_UUID.toArray(Notation[]::new));
  }

  static Written asBits(Evidence evidence) {
    return asUuid(evidence).orBits(evidence);
  }

  Written orBits(Evidence evidence) {
    return or(evidence, Notation.OF_BITS.toArray(Notation[]::new));
  }

  Written or(Evidence another, Notation... notations) {
    Map<Notation, Evidence> all = new HashMap<>(evidence);
    Arrays.stream(notations).forEach(notation -> all.put(notation, another));
    return new Written(Map.copyOf(all));
  }
}
