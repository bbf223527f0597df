package dev.mintmark.operations.migrate;

import java.util.List;

/**
 * A foreign key as it is.
 *
 * @param referencing the oid of the table that refers
 * @param columns the numbers of its columns, in order
 * @param referenced the oid of the table that is referred to
 * @param referencedColumns the numbers of its columns, in the same order
 * @param validated whether all rows are known to keep to it
 * @param setsDefault whether one of its actions is {@code set default}
 */
record ForeignKey(
    long oid,
    String name,
    long referencing,
    List<Integer> columns,
    long referenced,
    List<Integer> referencedColumns,
    boolean validated,
    boolean setsDefault,
    Definition definition) {}
