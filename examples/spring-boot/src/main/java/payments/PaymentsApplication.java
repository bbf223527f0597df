package payments;

import dev.mintmark.Catalog;
import java.util.List;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.HttpStatus;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.ResponseStatus;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.server.ResponseStatusException;

/** Clients see faces of the ids, in paths, parameters and JSON; the back office sees their text. */
@SpringBootApplication
@RestController
public class PaymentsApplication {
  private final Catalog catalog;
  private final Mandates mandates;
  private final Payments payments;

  public PaymentsApplication(Catalog catalog, Mandates mandates, Payments payments) {
    this.catalog = catalog;
    this.mandates = mandates;
    this.payments = payments;
  }

  public static void main(String[] arguments) {
    SpringApplication.run(PaymentsApplication.class, arguments);
  }

  record MandateView(MandateId id, String debtor) {}

  record PaymentView(PaymentId id, MandateId mandate, long cents) {
    static PaymentView of(Payment payment) {
      if (payment.id == null || payment.mandate == null) {
        throw new IllegalStateException("the payment was not stored");
      }
      return new PaymentView(payment.id, payment.mandate, payment.cents);
    }
  }

  record NewMandate(String debtor) {}

  record NewPayment(MandateId mandate, long cents) {}

  @PostMapping("/mandates")
  @ResponseStatus(HttpStatus.CREATED)
  MandateView add(@RequestBody NewMandate added) {
    Mandate mandate = new Mandate();
    mandate.debtor = added.debtor;
    Mandate stored = mandates.save(mandate);
    if (stored.id == null) {
      throw new IllegalStateException("the mandate was not stored");
    }
    return new MandateView(stored.id, stored.debtor);
  }

  @PostMapping("/payments")
  @ResponseStatus(HttpStatus.CREATED)
  PaymentView add(@RequestBody NewPayment added) {
    Payment payment = new Payment();
    payment.mandate = added.mandate;
    payment.cents = added.cents;
    return PaymentView.of(payments.save(payment));
  }

  @GetMapping("/payments/{id}")
  PaymentView find(@PathVariable PaymentId id) {
    return payments.findById(id).map(PaymentView::of).orElseThrow(PaymentsApplication::notFound);
  }

  @GetMapping("/payments")
  List<PaymentView> ofMandate(@RequestParam MandateId mandate) {
    return payments.findByMandateOrderById(mandate).stream().map(PaymentView::of).toList();
  }

  /** The text that a person in the back office reads on an invoice. */
  @GetMapping("/back-office/payments/{id}")
  String text(@PathVariable PaymentId id) {
    return catalog.idType(PaymentId.class).format(id);
  }

  private static ResponseStatusException notFound() {
    return new ResponseStatusException(HttpStatus.NOT_FOUND);
  }
}
