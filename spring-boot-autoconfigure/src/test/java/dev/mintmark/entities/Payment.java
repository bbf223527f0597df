package dev.mintmark.entities;

import dev.mintmark.SequenceId;
import dev.mintmark.Ulid;
import dev.mintmark.hibernate.Prefixed;
import jakarta.persistence.Entity;
import jakarta.persistence.Id;
import jakarta.persistence.Table;
import org.jspecify.annotations.Nullable;

/** What the search box of a test finds. */
@Entity(name = "Payment")
@Table(name = "payments")
public class Payment {
  @Id
  @Prefixed(value = "PM", width = 6)
  public @Nullable SequenceId id;

  @Nullable Ulid token;
  String payee = "";
  int cents;
}
