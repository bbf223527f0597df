package payments;

import dev.mintmark.hibernate.Minted;
import dev.mintmark.hibernate.MintedBy;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/**
 * Its id is minted by the server in the transaction that inserts it, so that pages have no gaps.
 */
@Entity
@Table(name = "mandates")
class Mandate {
  @Id
  @Minted(by = MintedBy.SERVER)
  @Nullable MandateId id;

  String debtor = "";
}
