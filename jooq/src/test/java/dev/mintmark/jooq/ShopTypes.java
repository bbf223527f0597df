package dev.mintmark.jooq;

import dev.mintmark.IdType;
import dev.mintmark.IdTypes;
import dev.mintmark.SequenceId;
import java.util.List;

/** Declares a class of the tests, as a program declares its own. */
public final class ShopTypes implements IdTypes {
  private static final SequenceId.Format PAYMENTS = new SequenceId.Format("PM", 6);

  /** A payment, stored as the number alone. */
  public record PaymentId(long value) {}

  @Override
  public List<IdType<?>> idTypes() {
    return List.of(
        IdType.sequences(PAYMENTS)
            .map(PaymentId.class, id -> new PaymentId(id.number()), id -> PAYMENTS.of(id.value())));
  }
}
