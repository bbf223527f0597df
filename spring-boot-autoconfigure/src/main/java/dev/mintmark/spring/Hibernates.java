package dev.mintmark.spring;

import jakarta.persistence.EntityManagerFactory;
import jakarta.persistence.PersistenceException;
import java.util.stream.Stream;
import org.hibernate.engine.spi.SessionFactoryImplementor;

/** The factories of entities that Hibernate made. */
final class Hibernates {
  private Hibernates() {}

  /** Returns the factory of Hibernate; nothing if another provider made it. */
  static Stream<SessionFactoryImplementor> unwrapped(EntityManagerFactory factory) {
    try {
      return Stream.of(factory.unwrap(SessionFactoryImplementor.class));
    } catch (PersistenceException | IllegalArgumentException e) {
      return Stream.empty();
    }
  }
}
