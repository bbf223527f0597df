package dev.mintmark.hibernate;

import dev.mintmark.NanoId;
import dev.mintmark.Puri;
import dev.mintmark.SequenceId;
import dev.mintmark.Snowflake;
import dev.mintmark.TypeId;
import dev.mintmark.Ulid;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.fixtures.TestServer;
import dev.mintmark.postgres.pack.Pack;
import jakarta.persistence.Column;
import jakarta.persistence.ElementCollection;
import jakarta.persistence.Entity;
import jakarta.persistence.FetchType;
import jakarta.persistence.Id;
import jakarta.persistence.ManyToOne;
import jakarta.persistence.OneToMany;
import java.sql.SQLException;
import java.util.HashSet;
import java.util.Set;
import java.util.UUID;
import org.hibernate.SessionFactory;
import org.hibernate.annotations.BatchSize;
import org.hibernate.annotations.ColumnDefault;
import org.hibernate.cfg.Configuration;
import org.jspecify.annotations.Nullable;

/** Entities of an application, and its database. */
final class Shop {
  private Shop() {}

  /** A database with the pack. */
  static TestDatabase createDatabase() {
    TestDatabase database = TestServer.NEWEST.createDatabase();
    try {
      Pack.inSchema(Pack.SCHEMA).install(database.dataSource());
    } catch (SQLException e) {
      throw new IllegalStateException(e);
    }
    return database;
  }

  /** Settings for entities in a database, whose tables Hibernate creates. */
  static Configuration configuration(
      TestDatabase database, RecordedStatements statements, Class<?>... entities) {
    Configuration configuration = new Configuration();
    for (Class<?> entity : entities) {
      configuration.addAnnotatedClass(entity);
    }
    configuration
        .getProperties()
        .put("hibernate.connection.datasource", statements.around(database.dataSource()));
    configuration.setProperty("hibernate.jdbc.batch_size", "50");
    configuration.setProperty("hibernate.hbm2ddl.auto", "update");
    return configuration;
  }

  static SessionFactory start(
      TestDatabase database, RecordedStatements statements, Class<?>... entities) {
    return configuration(database, statements, entities).buildSessionFactory();
  }

  /** What is persisted in a test. */
  interface Titled {
    void setTitle(String title);
  }

  /** Minted in Java. */
  @Entity(name = "Track")
  static class Track implements Titled {
    @Id @Minted @Nullable Ulid id;
    @Nullable String title;

    @OneToMany(mappedBy = "track", fetch = FetchType.LAZY)
    @BatchSize(size = 20)
    Set<Play> plays = new HashSet<>();

    @ElementCollection Set<Ulid> related = new HashSet<>();

    @Override
    public void setTitle(String title) {
      this.title = title;
    }
  }

  /** Refers to a track. */
  @Entity(name = "Play")
  static class Play {
    @Id @Minted @Nullable Ulid id;

    @ManyToOne(fetch = FetchType.LAZY)
    @Nullable Track track;
  }

  /** Minted by the server. */
  @Entity(name = "Incident")
  static class Incident implements Titled {
    @Id
    @Minted(by = MintedBy.SERVER)
    @ColumnDefault("mintmark.ulid()")
    @Nullable Ulid id;

    @Nullable String title;

    @Override
    public void setTitle(String title) {
      this.title = title;
    }
  }

  /** Minted in Java although its pages rely on the default of the column. */
  @Entity(name = "Early")
  static class Early implements Titled {
    @Id
    @Minted
    @ColumnDefault("mintmark.ulid()")
    @Nullable Ulid id;

    @Nullable String title;

    @Override
    public void setTitle(String title) {
      this.title = title;
    }
  }

  /** Numbered by a sequence. */
  @Entity(name = "Payment")
  static class Payment implements Titled {
    @Id
    @SequenceKey(sequence = "payment_seq")
    @Nullable PaymentId id;

    @Nullable String title;

    @Override
    public void setTitle(String title) {
      this.title = title;
    }
  }

  /** An id of the JDK, minted here. */
  @Entity(name = "Device")
  static class Device implements Titled {
    @Id @Minted @Nullable UUID id;
    @Nullable String title;

    @Override
    public void setTitle(String title) {
      this.title = title;
    }
  }

  /** Minted by the default of the column. */
  @Entity(name = "Invoice")
  static class Invoice implements Titled {
    @Id
    @MintedByDatabase
    @ColumnDefault("mintmark.ulid()")
    @Nullable Ulid id;

    @Nullable String title;

    @Override
    public void setTitle(String title) {
      this.title = title;
    }
  }

  /** One attribute of each type. */
  @Entity(name = "Sample")
  static class Sample {
    @Id @Minted @Nullable Ulid id;
    @Nullable Snowflake snowflake;
    @Nullable NanoId nano;
    @Nullable Puri puri;
    @Nullable PaymentId payment;

    @Prefixed(value = "PM", width = 6)
    @Nullable SequenceId number;

    @Column(name = "user_id")
    @Prefixed("user")
    @Nullable TypeId user;

    @Prefixed("team")
    @Minted
    @Nullable TypeId team;
  }

  /** A prefix is missing. */
  @Entity(name = "Unprefixed")
  static class Unprefixed {
    @Id @Minted @Nullable Ulid id;
    @Nullable TypeId user;
  }

  /** Ids of the JDK alone. */
  @Entity(name = "Plain")
  static class Plain {
    @Id @Nullable UUID id;
    @Nullable String name;
    @Nullable Long number;
    UUID @Nullable [] others;
  }
}
