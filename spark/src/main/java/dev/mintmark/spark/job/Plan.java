package dev.mintmark.spark.job;

import java.util.List;
import java.util.Map;

/**
 * How the first run has divided the work; the runs after it follow the same.
 *
 * @param id random; the names of the files that it writes hold it
 * @param plannedAtMillis when it was made, since 1970
 * @param arguments what it was made for, by the names of the options
 * @param origin what was read, as {@link Source#origin} calls it
 * @param schema the columns of the input, as Spark writes them in JSON
 * @param parts in order, each with its place as its number
 */
record Plan(
    String id,
    long plannedAtMillis,
    Map<String, String> arguments,
    String origin,
    String schema,
    List<Part> parts) {}
