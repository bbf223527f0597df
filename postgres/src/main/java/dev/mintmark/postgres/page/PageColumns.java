package dev.mintmark.postgres.page;

import dev.mintmark.postgres.RowReader;
import java.util.List;

/** The columns that are asked for, and what makes a value of them. */
record PageColumns<T>(List<String> names, RowReader<T> reader) {}
