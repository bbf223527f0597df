package dev.mintmark.hibernate;

import dev.mintmark.IdType;
import dev.mintmark.Kind;
import dev.mintmark.Mint;
import dev.mintmark.MintOptions;
import dev.mintmark.MintSettings;
import dev.mintmark.Order;
import dev.mintmark.postgres.jdbc.ServerMint;
import java.lang.reflect.Member;
import java.util.EnumSet;
import org.hibernate.engine.config.spi.ConfigurationService;
import org.hibernate.engine.spi.SharedSessionContractImplementor;
import org.hibernate.generator.AnnotationBasedGenerator;
import org.hibernate.generator.BeforeExecutionGenerator;
import org.hibernate.generator.EventType;
import org.hibernate.generator.EventTypeSets;
import org.hibernate.generator.GeneratorCreationContext;
import org.jspecify.annotations.Nullable;

/**
 * The generator of {@link Minted}. Hibernate creates it more than once for an attribute. Safe in
 * any number of threads after {@link #initialize}.
 */
@SuppressWarnings("serial") // Hibernate does not serialize generators.
public final class MintedGenerator
    implements BeforeExecutionGenerator, AnnotationBasedGenerator<Minted> {
  private static final String SCHEMA_SETTING = "mintmark.pack.schema";
  private static final String SCHEMA = "mintmark";

  /** Makes an id in a session. */
  private interface Source {
    Object next(SharedSessionContractImplementor session);
  }

  private Class<?> javaType = Object.class;
  private MintedBy by = MintedBy.JAVA;
  private @Nullable Source source;

  /** For Hibernate, which creates it. */
  public MintedGenerator() {}

  /** What Hibernate 6.6 and 7.0 call. */
  @Override
  @SuppressWarnings("removal")
  public void initialize(Minted minted, Member member, GeneratorCreationContext context) {
    configure(minted, member, context);
  }

  /** What later versions call. */
  @Override
  public void initialize(Minted minted, GeneratorCreationContext context) {
    configure(minted, null, context);
  }

  private void configure(Minted minted, @Nullable Member member, GeneratorCreationContext context) {
    AttributeType attribute = AttributeType.of(context, member, "@Minted");
    javaType = attribute.javaType();
    by = minted.by();
    try {
      source =
          minted.by() == MintedBy.SERVER
              ? server(attribute, minted, schema(minted, context))
              : java(attribute.type());
    } catch (IllegalArgumentException e) {
      throw attribute.mistake("@Minted: " + e.getMessage());
    }
  }

  private static Source java(IdType<?> type) {
    MintSettings settings =
        type.kind().has(Kind.Option.ORDER)
            ? MintSettings.NONE.withOrder(type.declaredOrder().orElse(Order.ASCENDING))
            : MintSettings.NONE;
    Mint<?> mint = Mint.of(type, settings, MintOptions.DEFAULT);
    return session -> mint.mint();
  }

  private static Source server(AttributeType attribute, Minted minted, String schema) {
    ServerMint<?> mint = ServerMint.of(attribute.type()).inSchema(schema);
    return new SessionBlocks<>(attribute.name(), mint, minted.block())::next;
  }

  private static String schema(Minted minted, GeneratorCreationContext context) {
    if (!minted.schema().isEmpty()) {
      return minted.schema();
    }
    Object setting =
        context
            .getServiceRegistry()
            .requireService(ConfigurationService.class)
            .getSettings()
            .get(SCHEMA_SETTING);
    return setting == null ? SCHEMA : setting.toString();
  }

  /** Returns where the ids are made. */
  public MintedBy by() {
    return by;
  }

  @Override
  public Object generate(
      SharedSessionContractImplementor session,
      Object owner,
      @Nullable Object current,
      EventType event) {
    if (current != null) {
      return current;
    }
    if (source == null) {
      throw new IllegalStateException("@Minted: the generator was not initialized");
    }
    return source.next(session);
  }

  @Override
  public EnumSet<EventType> getEventTypes() {
    return EventTypeSets.INSERT_ONLY;
  }

  @Override
  public boolean allowAssignedIdentifiers() {
    return true;
  }

  /** What Hibernate 7.4 compares with the attribute; earlier versions do not ask. */
  @SuppressWarnings("MissingOverride")
  public Class<?> getGeneratedType() {
    return javaType;
  }
}
