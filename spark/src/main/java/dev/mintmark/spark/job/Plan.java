package dev.mintmark.spark.job;

import java.util.List;
import java.util.Map;

/**
 * The division of the work into parts. The first run creates the plan, and later runs follow it.
 *
 * @param id a random identifier, which is in the names of the data files
 * @param plannedAtMillis the time of the plan, in milliseconds since 1970
 * @param arguments the arguments of the job, by the names of the options
 * @param origin the {@link Source#origin} of the input
 * @param schema the columns of the input, in the JSON of Spark
 * @param parts the parts in order of their numbers
 */
record Plan(
    String id,
    long plannedAtMillis,
    Map<String, String> arguments,
    String origin,
    String schema,
    List<Part> parts) {}
