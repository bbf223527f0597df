package dev.mintmark.jdbi;

import dev.mintmark.IdType;
import dev.mintmark.IdTypes;
import dev.mintmark.NanoId;
import dev.mintmark.Puri;
import dev.mintmark.SequenceId;
import dev.mintmark.Snowflake;
import dev.mintmark.Ulid;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Declares classes of the tests, as a program declares its own. */
public final class ShopTypes implements IdTypes {
  private static final SequenceId.Format PAYMENTS = new SequenceId.Format("PM", 6);

  /** A payment, stored as the number alone. */
  public record PaymentId(long value) {}

  /** A track, stored as {@code uuid}. */
  public record TrackId(Ulid value) {}

  /** Every class that needs no configuration, null, arrays and lists. */
  public record Track(
      TrackId id,
      PaymentId payment,
      Snowflake flake,
      NanoId nano,
      Puri puri,
      @Nullable Ulid parent,
      List<Ulid> related,
      Set<PaymentId> payments) {}

  @Override
  public List<IdType<?>> idTypes() {
    return List.of(
        IdType.sequences(PAYMENTS)
            .map(PaymentId.class, id -> new PaymentId(id.number()), id -> PAYMENTS.of(id.value())),
        IdType.ulids().map(TrackId.class, TrackId::new, TrackId::value));
  }
}
