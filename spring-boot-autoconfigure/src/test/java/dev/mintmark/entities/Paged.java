package dev.mintmark.entities;

import dev.mintmark.Ulid;
import dev.mintmark.hibernate.Minted;
import dev.mintmark.hibernate.MintedBy;
import dev.mintmark.hibernate.MintedByDatabase;
import jakarta.persistence.Column;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import java.util.UUID;
import org.hibernate.annotations.UuidGenerator;
import org.jspecify.annotations.Nullable;

/** Entities whose tables are paged, in a package that other tests do not scan. */
public final class Paged {
  private Paged() {}

  /** The id is minted in Java. */
  @Entity(name = "InJava")
  @Table(name = "in_java")
  public static class InJava {
    @Id @Minted @Nullable Ulid id;
  }

  @Entity(name = "ByServer")
  @Table(name = "by_server")
  public static class ByServer {
    @Id
    @Minted(by = MintedBy.SERVER)
    @Nullable Ulid id;

    String title = "";
  }

  @Entity(name = "ByDatabase")
  @Table(name = "by_database")
  public static class ByDatabase {
    @Id @MintedByDatabase @Nullable Ulid id;
  }

  @Entity(name = "OfHibernate")
  @Table(name = "of_hibernate")
  public static class OfHibernate {
    @Id
    @UuidGenerator(style = UuidGenerator.Style.VERSION_7)
    @Nullable UUID id;
  }

  @Entity(name = "Initialized")
  @Table(name = "\"Initialized\"")
  public static class Initialized {
    @Id Ulid id = Ulid.mint();
  }

  @Entity(name = "Assigned")
  @Table(name = "assigned")
  public static class Assigned {
    @Id @Nullable Ulid id;
  }

  /** The id of the pages is not that of the entity. */
  @Entity(name = "OtherId")
  @Table(name = "other_id")
  public static class OtherId {
    @Id @Minted @Nullable Ulid id;

    @Minted(by = MintedBy.SERVER)
    @Column(name = "Place")
    @Nullable Ulid place;

    @Minted @Nullable Ulid token;
  }
}
