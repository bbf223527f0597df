package dev.mintmark.app.transfer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.mintmark.Block;
import dev.mintmark.PoolSpec;
import dev.mintmark.app.transfer.ImportReport.Rejection;
import dev.mintmark.fixtures.TestDatabase;
import dev.mintmark.postgres.pool.Claim;
import dev.mintmark.postgres.pool.ClaimNote;
import dev.mintmark.postgres.pool.ClaimRequest;
import dev.mintmark.postgres.pool.ClaimResult;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import java.io.IOException;
import java.io.StringReader;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Files with values that are in use, and the export that can be imported again. */
@Tag("database")
class PoolImportTest {
  private final TestDatabase database = TestDatabase.create();
  private final Pools pools = Pools.over(database.dataSource());
  private final List<Rejection> rejections = new ArrayList<>();

  @AfterEach
  void close() {
    pools.close();
  }

  @Test
  void aPlanSaysWhatWouldBeClaimedAndChangesNothing() throws IOException {
    Pool pool = create("p");
    Claim taken = claim(pool, "other");
    pool.quarantine("10.0.0.20", Duration.ofHours(1));
    pool.exclude(List.of(Block.parse("10.0.0.21")));
    String file =
        """
        value,client,owner,lease,labels
        10.0.0.3,vm-3,acme,,rack:b7
        %s,vm-9,,,
        10.9.9.9,vm-4,,,
        10.0.0.20,vm-5,,,
        10.0.0.21,vm-6,,,
        10.0.0.3,vm-7,,,
        10.0.0.7,,,,
        10.0.0.8,vm-8,,soon,
        10.0.0.9,vm-9,,,rack
        10.0.0.10,vm-10,,,,,
        """
            .formatted(taken.value());

    ImportReport report = importOf(pool, file).plan(rejections::add);

    assertThat(report.format()).isEqualTo(ImportFormat.CSV);
    assertThat(report.lines()).isEqualTo(10);
    assertThat(report.claimed()).isEqualTo(1);
    assertThat(report.rejected()).isEqualTo(9);
    assertThat(report.rejections()).containsExactlyInAnyOrderElementsOf(rejections);
    assertThat(reasons())
        .containsExactlyInAnyOrder(
            "3 client \"other\" holds it",
            "4 no block of the pool has it",
            "6 it is excluded",
            "7 line 2 has this value too",
            "8 client is empty",
            "9 lease: malformed duration \"soon\": expected one such as 500ms, 30s, 10m, 1h30m",
            "10 label \"rack\": expected KEY:VALUE",
            "11 it has 7 fields: the heading has 5",
            "5 it is quarantined until " + quarantineEnd());
    assertThat(pool.find("10.0.0.3")).isEmpty();
  }

  @Test
  void anImportClaimsAndCanBeRepeated() throws IOException {
    Pool pool = create("p");
    Instant end = Instant.now().plusSeconds(7200).truncatedTo(ChronoUnit.SECONDS);
    String file =
        """
        value,client,owner,expires_at,labels,dns_name,description
        10.0.0.3,vm-3,acme,%s,rack:b7;env:prod,web-1.example.com,"The first, of many"
        10.0.0.4,vm-4,,2020-01-01T00:00:00Z,,,
        """
            .formatted(end);

    ImportReport report = importOf(pool, file).claim(rejections::add);

    assertThat(rejections).isEmpty();
    assertThat(report.isDone()).isTrue();
    assertThat(report.claimed()).isEqualTo(1);
    assertThat(report.skipped()).as("its use has ended").isEqualTo(1);
    Claim claim = pool.find("10.0.0.3").orElseThrow();
    assertThat(claim.owner()).contains("acme");
    assertThat(claim.expiresAt().orElseThrow())
        .isBetween(end.minusSeconds(60), end.plusSeconds(60));
    assertThat(pool.notes().of(claim.token()))
        .isEqualTo(
            ClaimNote.of(Map.of("rack", "b7", "env", "prod"))
                .withDnsName(Optional.of("web-1.example.com"))
                .withDescription(Optional.of("The first, of many")));

    ImportReport again = importOf(pool, file).claim(rejections::add);
    assertThat(again.held()).isEqualTo(1);
    assertThat(again.claimed()).isZero();
    assertThat(pool.find("10.0.0.3")).contains(claim);
  }

  /** Quotas are known only when a value is claimed. */
  @Test
  void aLineThatTheClaimRefusesIsRejected() throws IOException {
    Pool pool = create("p");
    String file = "value,client\n10.0.0.3,vm-3\n10.0.0.4,vm-3\n";

    assertThat(importOf(pool, file).plan(rejections::add).rejected()).isZero();
    ImportReport report = importOf(pool, file).claim(rejections::add);

    assertThat(report.claimed()).isEqualTo(1);
    assertThat(report.rejected()).isEqualTo(1);
    assertThat(rejections.get(0).reason()).contains("vm-3");
  }

  @Test
  void addressesOfNetBoxAreImported() throws IOException {
    Pool pool = create("p");
    String file =
        """
        address,status,tenant,dns_name,description,tags
        10.0.0.5/24,active,acme,web-1.example.com,Front end,"web,prod"
        10.0.0.6/24,active,,,,
        """;

    ImportReport report = importOf(pool, file).claim(rejections::add);

    assertThat(rejections).isEmpty();
    assertThat(report.format()).isEqualTo(ImportFormat.NETBOX);
    Claim web = pool.find("10.0.0.5").orElseThrow();
    assertThat(web.client()).isEqualTo("web-1.example.com");
    assertThat(web.owner()).contains("acme");
    assertThat(pool.notes().of(web.token()))
        .isEqualTo(
            ClaimNote.of(Map.of("web", "", "prod", ""))
                .withDnsName(Optional.of("web-1.example.com"))
                .withDescription(Optional.of("Front end")));
    assertThat(pool.find("10.0.0.6").orElseThrow().client()).isEqualTo("10.0.0.6");
  }

  /** The last line of an address counts; what is not active is not in use. */
  @Test
  void theLeaseFileOfKeaIsAJournal() throws IOException {
    Pool pool = create("p");
    long future = Instant.now().plusSeconds(3600).getEpochSecond();
    String file =
        """
        address,hwaddr,client_id,valid_lifetime,expire,subnet_id,fqdn_fwd,fqdn_rev,hostname,state,user_context,pool_id
        10.0.0.7,aa:bb:cc:dd:ee:01,,3600,%1$d,1,0,0,host-7.example.com.,0,,0
        10.0.0.8,aa:bb:cc:dd:ee:02,01:02,3600,%1$d,1,0,0,,0,,0
        10.0.0.7,aa:bb:cc:dd:ee:03,,3600,%1$d,1,0,0,,0,,0
        10.0.0.9,aa:bb:cc:dd:ee:04,,3600,1000,1,0,0,,0,,0
        10.0.0.10,aa:bb:cc:dd:ee:05,,3600,%1$d,1,0,0,,1,,0
        10.0.0.8,aa:bb:cc:dd:ee:02,01:02,0,%1$d,1,0,0,,0,,0
        10.0.0.11,,01:06,4294967295,%1$d,1,0,0,,0,,0
        """
            .formatted(future);

    ImportReport report = importOf(pool, file).claim(rejections::add);

    assertThat(rejections).isEmpty();
    assertThat(report.format()).isEqualTo(ImportFormat.KEA);
    assertThat(report.claimed()).isEqualTo(2);
    assertThat(report.skipped()).isEqualTo(5);
    assertThat(pool.find("10.0.0.7").orElseThrow().client()).isEqualTo("aa:bb:cc:dd:ee:03");
    assertThat(pool.find("10.0.0.7").orElseThrow().expiresAt()).isPresent();
    assertThat(pool.find("10.0.0.8")).isEmpty();
    assertThat(pool.find("10.0.0.11").orElseThrow().client()).isEqualTo("01:06");
    assertThat(pool.find("10.0.0.11").orElseThrow().expiresAt()).isEmpty();
  }

  @Test
  void leasesOfDhcpV6AreImported() throws IOException {
    pools.create(PoolSpec.of("six", List.of(Block.parse("2001:db8::/64"))));
    Pool pool = pools.open("six");
    String file =
        """
        address,duid,valid_lifetime,expire,subnet_id,pref_lifetime,lease_type,iaid,prefix_len,fqdn_fwd,fqdn_rev,hostname,hwaddr,state
        2001:db8::7,00:01:02,3600,%1$d,1,1800,0,9,128,0,0,,,0
        2001:db8:0:8::,00:01:03,3600,%1$d,1,1800,2,9,64,0,0,,,0
        """
            .formatted(Instant.now().plusSeconds(3600).getEpochSecond());

    ImportReport report = importOf(pool, file).claim(rejections::add);

    assertThat(rejections).isEmpty();
    assertThat(report.claimed()).isEqualTo(1);
    assertThat(report.skipped()).as("a prefix").isEqualTo(1);
    assertThat(pool.find("2001:db8::7").orElseThrow().client()).isEqualTo("00:01:02/9");

    pools.create(PoolSpec.of("delegated", List.of(Block.parse("2001:db8::/48 by /64"))));
    Pool delegated = pools.open("delegated");
    ImportReport prefixes = importOf(delegated, file).claim(rejections::add);
    assertThat(rejections).isEmpty();
    assertThat(prefixes.skipped()).as("an address").isEqualTo(1);
    assertThat(delegated.find("2001:db8:0:0::/64")).isEmpty();
    assertThat(delegated.find("2001:db8:0:8::/64").orElseThrow().client()).isEqualTo("00:01:03/9");
  }

  @Test
  void prefixesOfNetBoxAreImported() throws IOException {
    pools.create(PoolSpec.of("subnets", List.of(Block.parse("10.8.0.0/16 by /24"))));
    Pool pool = pools.open("subnets");
    String file =
        """
        prefix,vrf,tenant,status,role,description,tags
        10.8.0.0/16,,,container,,all of it,
        10.8.3.0/24,,acme,active,,the lab,"dc1,lab"
        10.8.4.0/25,,,active,,half,
        """;

    ImportReport report = importOf(pool, file).claim(rejections::add);

    assertThat(report.format()).isEqualTo(ImportFormat.NETBOX);
    assertThat(report.claimed()).isEqualTo(1);
    assertThat(report.skipped()).as("the container").isEqualTo(1);
    assertThat(rejections)
        .extracting(rejection -> rejection.value())
        .containsExactly("10.8.4.0/25");
    Claim claim = pool.find("10.8.3.0/24").orElseThrow();
    assertThat(claim.client()).isEqualTo("10.8.3.0/24");
    assertThat(claim.owner()).contains("acme");
    assertThat(pool.notes().of(claim.token()).labels()).containsOnlyKeys("dc1", "lab");
  }

  @Test
  void anExportIsImportedIntoAnotherPool() throws IOException {
    Pool pool = create("p");
    Claim claim =
        ((ClaimResult.Granted)
                pool.claim(
                    ClaimRequest.of(" vm, \"1\"")
                        .withOwner("acme ")
                        .withNote(
                            ClaimNote.of(Map.of("rack", "b;7", " left", "right "))
                                .withDescription(Optional.of(" a, b ")))))
            .claim();
    StringBuilder csv = new StringBuilder();
    ClaimExport.writeCsv(pool, csv);
    Pool copy = create("copy");

    ImportReport report = importOf(copy, csv.toString()).claim(rejections::add);

    assertThat(rejections).isEmpty();
    assertThat(report.claimed()).isEqualTo(1);
    Claim copied = copy.find(claim.value()).orElseThrow();
    assertThat(copied.client()).isEqualTo(claim.client());
    assertThat(copied.owner()).isEqualTo(claim.owner());
    assertThat(copy.notes().of(copied.token())).isEqualTo(pool.notes().of(claim.token()));
  }

  @Test
  void aFileWithoutAHeadingIsRejected() {
    Pool pool = create("p");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> importOf(pool, ""))
        .withMessage("the file is empty: expected a heading in line 1");
    assertThatIllegalArgumentException()
        .isThrownBy(() -> importOf(pool, "10.0.0.1,vm-1\n"))
        .withMessageContaining("is the heading of no format");
    assertThatIllegalArgumentException()
        .isThrownBy(
            () ->
                new PoolImport(
                    pool,
                    () -> new StringReader("value,client\n"),
                    Optional.of(ImportFormat.KEA),
                    InstantSource.system()))
        .withMessage("line 1: \"value,client\" is not a heading of the format kea");
  }

  private Pool create(String name) {
    pools.create(PoolSpec.of(name, List.of(Block.parse("10.0.0.0/27"))));
    return pools.open(name);
  }

  private static Claim claim(Pool pool, String client) {
    return ((ClaimResult.Granted) pool.claim(ClaimRequest.of(client).withValue("10.0.0.2")))
        .claim();
  }

  private static PoolImport importOf(Pool pool, String file) throws IOException {
    return new PoolImport(
        pool, () -> new StringReader(file), Optional.empty(), InstantSource.system());
  }

  private List<String> reasons() {
    return rejections.stream().map(one -> one.line() + " " + one.reason()).toList();
  }

  private Instant quarantineEnd() {
    return pools.open("p").survey().quarantined(Optional.empty(), 1).get(0).until();
  }
}
