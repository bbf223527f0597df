package addresses;

import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import dev.mintmark.postgres.pool.ReleaseResult;
import dev.mintmark.postgres.pool.RenewResult;
import java.util.Optional;
import org.springframework.stereotype.Service;

/** The addresses of virtual machines. The application may run in any number of instances. */
@Service
class Addresses {
  private final Pool pool;

  Addresses(Pools pools) {
    this.pool = pools.open("vm-ipv4");
  }

  /** Claims an address for a machine. A machine that holds one gets the same again. */
  ClaimResult claim(String machine, String customer) {
    return pool.claim(ClaimRequest.of(machine).withOwner(customer));
  }

  /** Extends the lease. The token says which claim of the address is meant. */
  RenewResult renew(String address, long token) {
    return pool.renew(address, token, Optional.empty());
  }

  ReleaseResult release(String address, long token) {
    return pool.release(address, token);
  }
}
