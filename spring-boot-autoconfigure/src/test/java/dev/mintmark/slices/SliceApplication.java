package dev.mintmark.slices;

import dev.mintmark.InCollection;
import dev.mintmark.Ulid;
import dev.mintmark.hibernate.Minted;
import dev.mintmark.hibernate.MintedBy;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** An application of which tests start parts, in a package of its own. */
@SpringBootApplication
class SliceApplication {
  static final String CATALOG = "mintmark.catalog=classpath:slices/mintmark.yaml";
  static final String SECRET = "mintmark.secret=a:MDEyMzQ1Njc4OWFiY2RlZmdoaWprbG1ub3BxcnN0dXY=";

  @InCollection("payments")
  record PaymentId(long value) {}

  record PaymentView(PaymentId id) {}

  @RestController
  static class Payments {
    @GetMapping("/payments/{id}")
    PaymentView find(@PathVariable PaymentId id) {
      return new PaymentView(id);
    }
  }

  @Entity(name = "Payment")
  @Table(name = "payment")
  static class Payment {
    @Id @Nullable PaymentId id;

    @Minted(by = MintedBy.SERVER)
    @Nullable Ulid token;
  }
}
