package payments;

import dev.mintmark.hibernate.SequenceKey;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** Its id is a number of a sequence, 50 of which are reserved by one statement. */
@Entity
@Table(name = "payments")
class Payment {
  @Id
  @SequenceKey(sequence = "payment_seq")
  @Nullable PaymentId id;

  @Nullable MandateId mandate;
  long cents;
}
