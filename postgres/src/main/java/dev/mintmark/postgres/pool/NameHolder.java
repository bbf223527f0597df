package dev.mintmark.postgres.pool;

import static dev.mintmark.postgres.internal.Transactions.Bind.bind;

import dev.mintmark.postgres.internal.SqlFile;
import dev.mintmark.postgres.internal.Transactions.Bind;
import java.time.Duration;
import java.util.UUID;

/**
 * Holds the name of a pool that is to be created in one of several databases, so that no other
 * instance creates one in another. The first of the databases knows who has a name.
 */
final class NameHolder {
  private static final SqlFile TAKE_NAME = SqlFile.load(NameHolder.class, "take_name");
  private static final SqlFile HAS_NAME = SqlFile.load(NameHolder.class, "has_name");
  private static final SqlFile RETURN_NAME = SqlFile.load(NameHolder.class, "return_name");

  /** How long the creation of a pool has its name at most; then its program was killed. */
  private static final Duration NAME_TAKEN_FOR = Duration.ofMinutes(5);

  private final PoolDatabase first;
  private final Bind name;
  private final Bind holder = bind("holder", UUID.randomUUID().toString());

  NameHolder(PoolDatabase first, String name) {
    this.first = first;
    this.name = bind("name", name);
  }

  /** Takes the name. Returns false if another instance has it. */
  boolean take() {
    Bind length = bind("millis", NAME_TAKEN_FOR.toMillis());
    return first.single(statements -> statements.update(TAKE_NAME, name, holder, length)) == 1;
  }

  /** Whether the name was not taken over by another instance since it was taken. */
  boolean hasName() {
    return !first.query(HAS_NAME, row -> "", name, holder).isEmpty();
  }

  /** Gives the name back, or does nothing if it is not held. */
  void giveBack() {
    try {
      int unused = first.single(statements -> statements.update(RETURN_NAME, name, holder));
    } catch (PoolUnavailableException e) {
      // It is free again after a time.
    }
  }
}
