package dev.mintmark.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import dev.mintmark.Ulid;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import jakarta.persistence.AttributeConverter;
import jakarta.persistence.Convert;
import jakarta.persistence.Converter;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.hibernate.annotations.JdbcTypeCode;
import org.hibernate.type.SqlTypes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.orm.jpa.persistenceunit.PersistenceManagedTypes;

/** Hibernate without Mintmark's types for it. */
@Tag("database")
class EntityCheckTest {
  private final TestDatabase database = TestServer.NEWEST.createDatabase();

  @Entity(name = "Track")
  static class Track {
    @Id @Nullable UUID id;
    @Nullable Ulid album;
  }

  @Entity(name = "Tagged")
  static class Tagged {
    @Id @Nullable UUID id;
    @ElementCollection Set<Ulid> tags = new HashSet<>();
  }

  @Entity(name = "Counted")
  static class Counted {
    @Id @Nullable UUID id;
    @ElementCollection Map<Ulid, String> counts = new HashMap<>();
  }

  @Entity(name = "Ordered")
  static class Ordered {
    @Id @Nullable UUID id;
    Ulid @Nullable [] order;
  }

  @Entity(name = "Listed")
  static class Listed {
    private @Nullable UUID id;
    private @Nullable List<Ulid> list;

    @Id
    public @Nullable UUID getId() {
      return id;
    }

    public void setId(UUID id) {
      this.id = id;
    }

    public @Nullable List<Ulid> getList() {
      return list;
    }

    public void setList(List<Ulid> list) {
      this.list = list;
    }
  }

  @Entity(name = "Converted")
  static class Converted {
    @Id @Nullable UUID id;

    @Convert(converter = UlidText.class)
    @Nullable Ulid album;

    @JdbcTypeCode(SqlTypes.JSON)
    @Nullable List<Ulid> tags;
  }

  @Converter
  static class UlidText implements AttributeConverter<Ulid, String> {
    @Override
    public @Nullable String convertToDatabaseColumn(@Nullable Ulid id) {
      return id == null ? null : id.toString();
    }

    @Override
    public @Nullable Ulid convertToEntityAttribute(@Nullable String text) {
      return text == null ? null : Ulid.parse(text);
    }
  }

  private ApplicationContextRunner application(Class<?> entity) {
    return new ApplicationContextRunner()
        .withConfiguration(
            AutoConfigurations.of(
                HibernateJpaAutoConfiguration.class,
                MintmarkAutoConfiguration.class,
                MintmarkHibernateAutoConfiguration.class))
        .withBean(PersistenceManagedTypes.class, () -> PersistenceManagedTypes.of(entity.getName()))
        .withBean(DataSource.class, database::dataSource);
  }

  static Stream<Arguments> attributes() {
    return Stream.of(
        arguments(Track.class, "album"),
        arguments(Tagged.class, "tags"),
        arguments(Counted.class, "counts"),
        arguments(Ordered.class, "order"),
        arguments(Listed.class, "list"));
  }

  @ParameterizedTest
  @MethodSource("attributes")
  void entityWithAnIdentifierFailsTheStart(Class<?> entity, String attribute) {
    application(entity)
        .run(
            context -> {
              FailureAnalysis analysis =
                  Objects.requireNonNull(
                      new StartFailureAnalyzer()
                          .analyze(Objects.requireNonNull(context.getStartupFailure())));
              assertThat(analysis.getDescription())
                  .startsWith("The attribute %s of %s".formatted(attribute, entity.getName()));
              assertThat(analysis.getAction()).contains("mintmark-hibernate");
            });
  }

  @Test
  void entityThatSaysHowItIsStoredStarts() {
    application(Converted.class).run(context -> assertThat(context).hasNotFailed());
  }
}
