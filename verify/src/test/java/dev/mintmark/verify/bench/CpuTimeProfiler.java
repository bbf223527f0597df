package dev.mintmark.verify.bench;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collection;
import java.util.List;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.infra.IterationParams;
import org.openjdk.jmh.profile.InternalProfiler;
import org.openjdk.jmh.results.AggregationPolicy;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.ScalarResult;

/**
 * The processor time of an operation, that of the collector and the compiler included. Unlike the
 * time that passes, it says what an operation costs if there are more threads than processors, and
 * on a machine that has other work.
 */
public final class CpuTimeProfiler implements InternalProfiler {
  /** The name of the result in the JSON of JMH. */
  private static final String NAME = "cpu";

  private static final OperatingSystemMXBean PROCESS =
      ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class);

  private long startedAtNanos;

  @Override
  public String getDescription() {
    return "processor time of an operation";
  }

  @Override
  public void beforeIteration(BenchmarkParams benchmark, IterationParams iteration) {
    startedAtNanos = PROCESS.getProcessCpuTime();
  }

  @Override
  public Collection<? extends Result<?>> afterIteration(
      BenchmarkParams benchmark, IterationParams iteration, IterationResult result) {
    double nanos = PROCESS.getProcessCpuTime() - startedAtNanos;
    double nanosOfOne = nanos / result.getMetadata().getAllOps();
    return List.of(new ScalarResult(NAME, nanosOfOne, "ns/op", AggregationPolicy.AVG));
  }
}
