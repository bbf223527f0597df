package dev.mintmark.hibernate.bench;

import dev.mintmark.Ulid;
import dev.mintmark.hibernate.Minted;
import dev.mintmark.hibernate.MintedBy;
import dev.mintmark.hibernate.MintedByDatabase;
import dev.mintmark.hibernate.SequenceKey;
import io.hypersistence.utils.hibernate.id.Tsid;
import jakarta.persistence.Entity;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.SequenceGenerator;
import java.util.UUID;
import org.hibernate.annotations.ColumnDefault;
import org.hibernate.annotations.UuidGenerator;
import org.jspecify.annotations.Nullable;

/** The same row with each kind of id. */
final class Rows {
  private Rows() {}

  /** What every row has besides its id. */
  @MappedSuperclass
  abstract static class Row {
    @Nullable String title;
    int plays;
  }

  /** A class of an application, declared in the setting {@code mintmark.types}. */
  record RowId(long value) {}

  @Entity(name = "MintedRow")
  static class MintedRow extends Row {
    @Id @Minted @Nullable Ulid id;
  }

  @Entity(name = "MintedUuidRow")
  static class MintedUuidRow extends Row {
    @Id @Minted @Nullable UUID id;
  }

  @Entity(name = "ServerRow")
  static class ServerRow extends Row {
    @Id
    @Minted(by = MintedBy.SERVER)
    @ColumnDefault("mintmark.ulid()")
    @Nullable Ulid id;
  }

  @Entity(name = "SequenceKeyRow")
  static class SequenceKeyRow extends Row {
    @Id
    @SequenceKey(sequence = "row_key_seq")
    @Nullable RowId id;
  }

  @Entity(name = "DatabaseRow")
  static class DatabaseRow extends Row {
    @Id
    @MintedByDatabase
    @ColumnDefault("mintmark.ulid()")
    @Nullable Ulid id;
  }

  @Entity(name = "Version7Row")
  static class Version7Row extends Row {
    @Id
    @UuidGenerator(style = UuidGenerator.Style.VERSION_7)
    @Nullable UUID id;
  }

  @Entity(name = "TsidRow")
  static class TsidRow extends Row {
    @Id @Tsid @Nullable Long id;
  }

  @Entity(name = "SequenceRow")
  static class SequenceRow extends Row {
    @Id
    @GeneratedValue(strategy = GenerationType.SEQUENCE, generator = "row_seq")
    @SequenceGenerator(name = "row_seq", allocationSize = 50)
    @Nullable Long id;
  }

  @Entity(name = "IdentityRow")
  static class IdentityRow extends Row {
    @Id
    @GeneratedValue(strategy = GenerationType.IDENTITY)
    @Nullable Long id;
  }
}
