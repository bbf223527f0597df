package dev.mintmark.postgres.page;

import dev.mintmark.postgres.RowReader;
import java.util.List;

/** The columns to read, and the reader that converts them to a value. */
record PageColumns<T>(List<String> names, RowReader<T> reader) {}
