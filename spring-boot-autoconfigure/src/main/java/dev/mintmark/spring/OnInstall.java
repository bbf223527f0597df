package dev.mintmark.spring;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBooleanProperty;

/** Something is to be installed into the database. */
final class OnInstall extends AnyNestedCondition {
  OnInstall() {
    super(ConfigurationPhase.REGISTER_BEAN);
  }

  @ConditionalOnBooleanProperty("mintmark.pack.install")
  static final class OfPack {}

  @ConditionalOnBooleanProperty("mintmark.pools.install")
  static final class OfPools {}
}
