package dev.mintmark.operations.migrate;

/**
 * A part of the switch with what undoes it.
 *
 * @param stage its place in the switch
 */
record SwitchAction(Stage stage, Ddl ddl) {
  /** The stages of the switch, in their order; rollback undoes them in the opposite order. */
  enum Stage {
    /** Constraints and triggers that depend on the old keys are dropped. */
    DROP_DEPENDENTS,
    /** Keys on the old columns are dropped. */
    DROP_KEYS,
    /** Columns exchange their names. */
    RENAME_COLUMNS,
    /** Indexes and constraints exchange their names. */
    RENAME_OBJECTS,
    /** Keys on the new columns are added. */
    ADD_KEYS,
    /** Foreign keys between the new columns take the names of the old ones. */
    ADD_FOREIGN_KEYS,
    /** Comments and settings move to objects that have their names now. */
    DESCRIBE,
    /** Defaults, identities and sequences move to the new columns. */
    MOVE_DEFAULTS,
    /** Triggers synchronize the columns by their new names. */
    SYNCHRONIZE,
    /** Compatibility views take the places of tables. */
    CREATE_VIEWS
  }
}
