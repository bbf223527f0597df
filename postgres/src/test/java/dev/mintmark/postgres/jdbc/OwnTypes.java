package dev.mintmark.postgres.jdbc;

import dev.mintmark.IdType;
import dev.mintmark.IdTypes;
import dev.mintmark.SequenceId;
import java.util.List;

/** Declares a class of the tests, as a program declares its own. */
public final class OwnTypes implements IdTypes {
  private static final SequenceId.Format FORMAT = new SequenceId.Format("IN", 6);

  static final IdType<InvoiceId> INVOICES =
      IdType.sequences(FORMAT)
          .map(InvoiceId.class, id -> new InvoiceId(id.number()), id -> FORMAT.of(id.value()));

  record InvoiceId(long value) {}

  @Override
  public List<IdType<?>> idTypes() {
    return List.of(INVOICES);
  }
}
