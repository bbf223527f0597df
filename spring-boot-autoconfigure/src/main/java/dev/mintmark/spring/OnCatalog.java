package dev.mintmark.spring;

import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.core.type.AnnotatedTypeMetadata;

/** A catalog is declared: {@code mintmark.catalog} is set, or the default file exists. */
final class OnCatalog extends SpringBootCondition {
  @Override
  public ConditionOutcome getMatchOutcome(
      ConditionContext context, AnnotatedTypeMetadata metadata) {
    String location = context.getEnvironment().getProperty("mintmark.catalog");
    ConditionMessage.Builder message = ConditionMessage.forCondition("Mintmark catalog");
    if (location != null && !location.isBlank()) {
      return ConditionOutcome.match(message.because("mintmark.catalog is " + location));
    }
    return CatalogSource.of(null, context.getResourceLoader()).exists()
        ? ConditionOutcome.match(message.because(CatalogSource.DEFAULT + " exists"))
        : ConditionOutcome.noMatch(message.because("there is no " + CatalogSource.DEFAULT));
  }
}
