package dev.mintmark.jackson2;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.IdType;
import dev.mintmark.IdTypes;
import dev.mintmark.InCollection;
import dev.mintmark.Keyring;
import dev.mintmark.Kind;
import dev.mintmark.Masks;
import dev.mintmark.Ulid;
import java.util.List;
import java.util.stream.IntStream;

/** The identifiers of a program, which {@link java.util.ServiceLoader} finds. */
public final class ShopTypes implements IdTypes {
  static final CollectionSpec PAYMENTS =
      CollectionSpec.builder("payments", Kind.SEQUENCE)
          .prefix("PM")
          .width(6)
          .face(new CollectionSpec.Face("pay", "payments"))
          .build();
  static final CollectionSpec ORDERS =
      CollectionSpec.builder("orders", Kind.ULID)
          .face(new CollectionSpec.Face("ord", "orders"))
          .build();
  static final CollectionSpec MANDATES =
      CollectionSpec.builder("mandates", Kind.SEQUENCE).prefix("MD").width(6).build();

  static final Catalog CATALOG =
      new Catalog("shop", List.of(PAYMENTS, ORDERS, MANDATES), List.of());
  static final Masks MASKS = Masks.of(CATALOG, Keyring.of('a', secret()));

  /** Declared here and shown as a face. */
  @InCollection("payments")
  record PaymentId(long value) {}

  /** Declared here alone. */
  record OrderId(Ulid value) {}

  /** In the catalog, without a face, and not declared here. */
  @InCollection("mandates")
  record MandateId(long value) {}

  @Override
  public List<IdType<?>> idTypes() {
    return List.of(
        IdType.wrapping(PaymentId.class, PAYMENTS), IdType.wrapping(OrderId.class, ORDERS));
  }

  private static byte[] secret() {
    byte[] secret = new byte[32];
    IntStream.range(0, secret.length).forEach(i -> secret[i] = (byte) (i * 37 + 1));
    return secret;
  }
}
