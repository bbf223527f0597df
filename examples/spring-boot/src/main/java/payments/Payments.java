package payments;

import java.util.List;
import org.springframework.data.jpa.repository.JpaRepository;

interface Payments extends JpaRepository<Payment, PaymentId> {
  List<Payment> findByMandateOrderById(MandateId mandate);
}
