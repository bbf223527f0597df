package dev.mintmark.shop;

import dev.mintmark.IdType;
import dev.mintmark.IdTypes;
import dev.mintmark.SequenceId;
import dev.mintmark.Ulid;
import java.util.List;

/** The declaration of a program, which {@link java.util.ServiceLoader} finds. */
public final class ShopTypes implements IdTypes {
  private static final SequenceId.Format PAYMENTS = new SequenceId.Format("PM", 6);

  record PaymentId(long value) {}

  record TrackId(Ulid value) {}

  @Override
  public List<IdType<?>> idTypes() {
    return List.of(
        IdType.sequences(PAYMENTS)
            .map(PaymentId.class, id -> new PaymentId(id.number()), id -> PAYMENTS.of(id.value())),
        IdType.ulids().map(TrackId.class, TrackId::new, TrackId::value));
  }
}
