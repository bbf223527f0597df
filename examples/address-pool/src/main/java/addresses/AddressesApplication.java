package addresses;

import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.PoolUnavailableException;
import dev.mintmark.postgres.pool.ReleaseResult;
import dev.mintmark.postgres.pool.RenewResult;
import dev.mintmark.postgres.pool.Superseded;
import java.time.Duration;
import java.time.Instant;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpStatus;
import org.springframework.http.ProblemDetail;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.DeleteMapping;
import org.springframework.web.bind.annotation.ExceptionHandler;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.PutMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/**
 * Claims, renews and releases addresses over HTTP. What cannot be granted is a problem document.
 */
@SpringBootApplication
@RestController
public class AddressesApplication {
  private final Addresses addresses;

  AddressesApplication(Addresses addresses) {
    this.addresses = addresses;
  }

  public static void main(String[] arguments) {
    SpringApplication.run(AddressesApplication.class, arguments);
  }

  /** An address that a machine holds; {@code token} is required to renew and to release it. */
  record Held(String address, long token, Instant until) {
    static Held of(Claim claim) {
      return new Held(claim.value(), claim.token(), claim.expiresAt().orElse(Instant.MAX));
    }
  }

  @PutMapping("/machines/{machine}/address")
  ResponseEntity<?> claim(@PathVariable String machine, @RequestParam String customer) {
    ClaimResult result = addresses.claim(machine, customer);
    if (result instanceof ClaimResult.Granted granted) {
      return ResponseEntity.status(HttpStatus.CREATED).body(Held.of(granted.claim()));
    }
    if (result instanceof ClaimResult.AlreadyHeld held) {
      return ResponseEntity.ok(Held.of(held.claim()));
    }
    if (result instanceof ClaimResult.Exhausted exhausted) {
      return later(HttpStatus.CONFLICT, "every address is in use", exhausted.retryAfter());
    }
    if (result instanceof ClaimResult.QuotaReached reached) {
      String detail = "%s holds %s addresses".formatted(reached.holder(), reached.limit());
      return problem(HttpStatus.CONFLICT, detail);
    }
    if (result instanceof ClaimResult.Contended contended) {
      String detail = "other claims are in progress";
      return later(HttpStatus.SERVICE_UNAVAILABLE, detail, contended.retryAfter());
    }
    return problem(HttpStatus.SERVICE_UNAVAILABLE, "no address is granted at present");
  }

  @PostMapping("/addresses/{address}/renewals")
  ResponseEntity<?> renew(@PathVariable String address, @RequestParam long token) {
    RenewResult result = addresses.renew(address, token);
    if (result instanceof RenewResult.Renewed renewed) {
      return ResponseEntity.ok(Held.of(renewed.claim()));
    }
    return lost(address, result instanceof Superseded);
  }

  @DeleteMapping("/addresses/{address}")
  ResponseEntity<?> release(@PathVariable String address, @RequestParam long token) {
    ReleaseResult result = addresses.release(address, token);
    if (result instanceof ReleaseResult.Released) {
      return ResponseEntity.noContent().build();
    }
    return lost(address, result instanceof Superseded);
  }

  /** The machine must stop using the address. */
  private static ResponseEntity<?> lost(String address, boolean isTaken) {
    return isTaken
        ? problem(HttpStatus.PRECONDITION_FAILED, "another machine holds " + address)
        : problem(HttpStatus.NOT_FOUND, address + " is not held");
  }

  /** The outcome is not known. Every request here can be repeated. */
  @ExceptionHandler
  ResponseEntity<?> unavailable(PoolUnavailableException failure) {
    String detail = "the database does not answer";
    return later(HttpStatus.SERVICE_UNAVAILABLE, detail, Duration.ofSeconds(1));
  }

  @ExceptionHandler
  ResponseEntity<?> rejected(IllegalArgumentException mistake) {
    return problem(HttpStatus.BAD_REQUEST, String.valueOf(mistake.getMessage()));
  }

  private static ResponseEntity<?> later(HttpStatus status, String detail, Duration after) {
    return ResponseEntity.status(status)
        .header(HttpHeaders.RETRY_AFTER, Long.toString(Math.max(1, after.toSeconds())))
        .body(ProblemDetail.forStatusAndDetail(status, detail));
  }

  private static ResponseEntity<?> problem(HttpStatus status, String detail) {
    return ResponseEntity.of(ProblemDetail.forStatusAndDetail(status, detail)).build();
  }
}
