package dev.mintmark.spring.aot;

import dev.mintmark.Catalog;
import dev.mintmark.CollectionSpec;
import dev.mintmark.InCollection;
import dev.mintmark.Kind;
import java.util.List;
import org.springframework.boot.autoconfigure.AutoConfigurationPackage;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.RestController;

/** An application that is processed ahead of time, in a package of its own. */
@AutoConfigurationPackage
@Configuration(proxyBeanMethods = false)
public class ShopApplication {
  /** An identifier in paths and bodies. */
  @InCollection("payments")
  public record PaymentId(long value) {}

  /** An identifier that no controller mentions: Spring Boot does not know its class. */
  @InCollection("payments")
  public record RefundOf(long value) {}

  /** What clients see. */
  public record Payment(PaymentId id) {}

  /** Answers with what it was asked for. */
  @RestController
  public static class Payments {
    @GetMapping("/payments/{id}")
    public Payment payment(@PathVariable PaymentId id) {
      return new Payment(id);
    }
  }

  @Bean
  public static Catalog catalog() {
    return new Catalog(
        "shop",
        List.of(
            CollectionSpec.builder("payments", Kind.SEQUENCE)
                .prefix("PM")
                .face(new CollectionSpec.Face("pay", "payments"))
                .build()),
        List.of());
  }
}
