package payments;

import dev.mintmark.IdType;
import dev.mintmark.IdTypes;
import dev.mintmark.SequenceId;
import java.util.List;

/** How the columns of the ids are written and read. */
public final class ShopTypes implements IdTypes {
  private static final SequenceId.Format PAYMENTS = new SequenceId.Format("PM", 6);

  @Override
  public List<IdType<?>> idTypes() {
    return List.of(
        IdType.sequences(PAYMENTS)
            .map(PaymentId.class, id -> new PaymentId(id.number()), id -> PAYMENTS.of(id.value())),
        IdType.ulids().map(MandateId.class, MandateId::new, MandateId::value));
  }
}
