package dev.mintmark.postgres.pack;

import java.time.Instant;

/** A difference between an installed pack and this one. */
public sealed interface Difference {
  /** The object that differs, for example {@code function ulid_text(uuid)}. */
  String object();

  /** The object does not exist. */
  record Missing(String object) implements Difference {}

  /** The object has another definition. */
  record Changed(String object, String expected, String found) implements Difference {}

  /** Some roles may not use the object. */
  record NotForAll(String object) implements Difference {}

  /**
   * The object belongs to a role that can replace it, although that role is neither a member of the
   * role that owns the schema nor a superuser. The installation refuses such an object.
   */
  record OwnedByOther(String object, String owner) implements Difference {}

  /**
   * The function has the name of a function of the pack and other parameters, so some calls reach
   * it instead.
   *
   * @param isTrusted whether its owner may also own the pack; otherwise the installation refuses it
   */
  record NotOfPack(String object, String owner, boolean isTrusted) implements Difference {}

  /**
   * The role may create functions in the schema, although it may not own the pack. The installation
   * refuses that.
   *
   * @param object the schema, for example {@code schema mintmark}
   * @param role the role; {@code PUBLIC} if every role may
   */
  record MayCreate(String object, String role) implements Difference {}

  /**
   * The clock of the ascending mints is more than a day ahead of the server's clock.
   *
   * @param time the time of the next identifier
   */
  record ClockAhead(String object, Instant time) implements Difference {}
}
