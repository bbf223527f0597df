package dev.mintmark.app.http;

import static java.nio.file.StandardOpenOption.DELETE_ON_CLOSE;

import dev.mintmark.app.transfer.ClaimExport;
import dev.mintmark.app.transfer.ImportReport;
import dev.mintmark.app.transfer.PoolImport;
import dev.mintmark.app.view.ImportReportJson;
import dev.mintmark.app.view.ImportRequestJson;
import dev.mintmark.postgres.pool.Pool;
import dev.mintmark.postgres.pool.Pools;
import java.io.IOException;
import java.io.StringReader;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import org.springframework.core.io.InputStreamResource;
import org.springframework.core.io.Resource;
import org.springframework.http.ContentDisposition;
import org.springframework.http.HttpHeaders;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/pools/{pool}/import} and {@code /export}: claims from and as files. */
@RestController
class PoolTransferController {
  /** The end of the path of an import, whose body may be larger than others. */
  static final String IMPORT_PATH_END = "/import";

  private final Pools pools;

  PoolTransferController(Pools pools) {
    this.pools = pools;
  }

  @PostMapping(
      path = "/v1/pools/{pool}/import",
      produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
  ImportReportJson importClaims(@PathVariable String pool, @RequestBody ImportRequestJson body)
      throws IOException {
    String content = body.requireContent();
    PoolImport imported =
        new PoolImport(
            pools.open(pool),
            () -> new StringReader(content),
            body.namedFormat(),
            InstantSource.system());
    ImportReport plan = imported.plan(rejection -> {});
    return ImportReportJson.of(
        body.isApplied(plan.rejected()) ? imported.claim(rejection -> {}) : plan);
  }

  @GetMapping(
      path = "/v1/pools/{pool}/export",
      produces = {"text/csv", MediaType.APPLICATION_PROBLEM_JSON_VALUE})
  ResponseEntity<Resource> exportClaims(@PathVariable String pool) throws IOException {
    Path file = Files.createTempFile("mintmark-export-", ".csv");
    try {
      // Complete before the response begins: a failure in its midst would look like its end.
      write(pools.open(pool), file);
      return ResponseEntity.ok()
          .contentType(new MediaType("text", "csv", StandardCharsets.UTF_8))
          .contentLength(Files.size(file))
          .header(
              HttpHeaders.CONTENT_DISPOSITION,
              ContentDisposition.attachment().filename(pool + ".csv").build().toString())
          .body(new InputStreamResource(Files.newInputStream(file, DELETE_ON_CLOSE)));
    } catch (IOException | RuntimeException e) {
      Files.deleteIfExists(file);
      throw e;
    }
  }

  private static void write(Pool pool, Path file) throws IOException {
    try (Writer csv = Files.newBufferedWriter(file)) {
      ClaimExport.writeCsv(pool, csv);
    }
  }
}
