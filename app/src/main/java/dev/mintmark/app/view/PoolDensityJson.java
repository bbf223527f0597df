package dev.mintmark.app.view;

import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.PoolDensity;
import java.math.BigInteger;
import java.util.List;

/**
 * How the values of a range of a pool are used, as JSON.
 *
 * @param partSize how many values a part covers
 */
public record PoolDensityJson(String pool, BigInteger partSize, List<DensityPartJson> parts) {
  public static PoolDensityJson of(Pool pool, PoolDensity density) {
    return new PoolDensityJson(
        pool.name(),
        density.partSize(),
        density.parts().stream().map(DensityPartJson::of).toList());
  }
}
