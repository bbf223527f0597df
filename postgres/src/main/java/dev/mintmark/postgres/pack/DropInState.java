package dev.mintmark.postgres.pack;

import java.util.List;
import java.util.Optional;

/** What a {@link DropIn} found in a database. */
public sealed interface DropInState {
  /**
   * There is no such function without parameters on the {@code search_path}, or in the schema that
   * was named.
   *
   * @param statement the statement that creates it as a call of the pack
   * @param others functions of this name with parameters or in other schemas, for example {@code
   *     app.generate_ulid(integer) returns text}
   */
  record Absent(String statement, List<String> others) implements DropInState {
    /** Copies the list. */
    public Absent {
      others = List.copyOf(others);
    }
  }

  /**
   * The drop-in can replace the function.
   *
   * @param function its name with its schema: {@code public.generate_ulid()}
   * @param definition its definition, as the server writes it
   * @param replacement the statement that replaces it
   * @param sample a value that it returned just now
   * @param dependents what uses it and will use the new one, as PostgreSQL describes it: {@code
   *     default value for column id of table public.users}
   * @param mentions functions whose source has its name. PostgreSQL does not record what such
   *     sources call, nor what uses these functions
   * @param changes what else will be different, in sentences
   */
  record Replaceable(
      String function,
      String definition,
      String replacement,
      String sample,
      List<String> dependents,
      List<String> mentions,
      List<String> changes)
      implements DropInState {
    /** Copies the lists. */
    public Replaceable {
      dependents = List.copyOf(dependents);
      mentions = List.copyOf(mentions);
      changes = List.copyOf(changes);
    }
  }

  /**
   * The drop-in must not replace the function.
   *
   * @param function its name with its schema
   * @param definition its definition, as the server writes it
   * @param reasons why, in sentences: another role owns it, it returns another type, an index uses
   *     it
   */
  record Refused(String function, String definition, List<String> reasons) implements DropInState {
    /** Copies the list. */
    public Refused {
      reasons = List.copyOf(reasons);
    }
  }

  /**
   * The drop-in has replaced the function.
   *
   * @param function its name with its schema
   * @param restores the statements that restore the comment and the definition before; empty if the
   *     comment of the function is no longer the record of the drop-in
   * @param reasons why this role cannot restore it; empty if it can
   */
  record InPlace(String function, Optional<String> restores, List<String> reasons)
      implements DropInState {
    /** Copies the list. */
    public InPlace {
      reasons = List.copyOf(reasons);
    }
  }
}
