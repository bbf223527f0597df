package dev.mintmark.spring;

import dev.mintmark.hibernate.MintedBy;
import dev.mintmark.hibernate.MintedGenerator;
import jakarta.persistence.EntityManagerFactory;
import java.sql.SQLException;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.commons.logging.Log;
import org.apache.commons.logging.LogFactory;
import org.hibernate.StatelessSession;
import org.hibernate.engine.spi.SessionFactoryImplementor;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.EventType;
import org.hibernate.generator.Generator;
import org.hibernate.persister.entity.EntityPersister;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;

/**
 * Fails the start of an application whose entities have ids that the server mints, if the SQL pack
 * is missing or may not be used: each {@code persist} would fail. Each such attribute mints once.
 * Without such an attribute nothing is read from the database.
 */
final class ServerMintCheck implements SmartInitializingSingleton {
  private static final Log LOG = LogFactory.getLog(ServerMintCheck.class);

  /** No such schema or function, or no right to use it. */
  private static final Set<String> MISSING = Set.of("3F000", "42883", "42501");

  private final ObjectProvider<EntityManagerFactory> factories;

  ServerMintCheck(ObjectProvider<EntityManagerFactory> factories) {
    this.factories = factories;
  }

  @Override
  public void afterSingletonsInstantiated() {
    factories.stream().flatMap(Hibernates::unwrapped).forEach(ServerMintCheck::check);
  }

  private static void check(SessionFactoryImplementor factory) {
    factory
        .getMappingMetamodel()
        .forEachEntityDescriptor(
            entity -> {
              check(factory, entity, "id", entity.getGenerator());
              entity.forEachAttributeMapping(
                  attribute ->
                      check(
                          factory, entity, attribute.getAttributeName(), attribute.getGenerator()));
            });
  }

  private static void check(
      SessionFactoryImplementor factory,
      EntityPersister entity,
      String attribute,
      @Nullable Generator generator) {
    if (generator instanceof MintedGenerator minted && minted.by() == MintedBy.SERVER) {
      try {
        factory.inStatelessTransaction(session -> mint(minted, session));
      } catch (RuntimeException e) {
        refuse(entity.getEntityName() + "." + attribute, e);
      }
    }
  }

  private static void mint(MintedGenerator generator, StatelessSession session) {
    var unused =
        generator.generate(
            (SharedSessionContractImplementor) session, session, null, EventType.INSERT);
  }

  private static void refuse(String attribute, RuntimeException failure) {
    SQLException missing =
        Stream.<Throwable>iterate(failure, cause -> cause != null, Throwable::getCause)
            .filter(SQLException.class::isInstance)
            .map(SQLException.class::cast)
            .filter(cause -> cause.getSQLState() != null && MISSING.contains(cause.getSQLState()))
            .findFirst()
            .orElse(null);
    if (missing == null) {
      // A standby, another database, a factory of several tenants: not about the pack.
      LOG.debug("the server did not mint " + attribute, failure);
      return;
    }
    throw new StartFailure(
        "%s is minted by the server, and the SQL pack cannot be used: %s"
            .formatted(attribute, missing.getMessage()),
        "Install it with 'mintmark pack install --database-url URL', or set"
            + " mintmark.pack.install=true if the application may create a schema. A role that does"
            + " not own it must be granted usage on its schema.",
        failure);
  }
}
