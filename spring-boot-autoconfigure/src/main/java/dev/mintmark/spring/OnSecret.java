package dev.mintmark.spring;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;

/** The keyring is declared, in one of two ways. */
final class OnSecret extends AnyNestedCondition {
  OnSecret() {
    super(ConfigurationPhase.REGISTER_BEAN);
  }

  @ConditionalOnProperty("mintmark.secret")
  static final class AsProperty {}

  @ConditionalOnProperty("mintmark.secret-file")
  static final class InFile {}
}
