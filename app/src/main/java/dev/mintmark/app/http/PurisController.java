package dev.mintmark.app.http;

import dev.mintmark.Catalog;
import dev.mintmark.Puris;
import dev.mintmark.app.view.PuriJson;
import io.swagger.v3.oas.annotations.Operation;
import io.swagger.v3.oas.annotations.Parameter;
import io.swagger.v3.oas.annotations.media.ArraySchema;
import io.swagger.v3.oas.annotations.media.Schema;
import jakarta.servlet.http.HttpServletRequest;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/puris}: pURIs read under the catalog. */
@RestController
@RequestMapping(
    path = "/v1/puris",
    produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
class PurisController {
  private final Puris puris;

  PurisController(Catalog catalog) {
    this.puris = Puris.of(catalog);
  }

  @GetMapping
  @Operation(
      summary = "What pURIs name, by the catalog",
      description =
          "A namespace or collection that is not declared is no error: known is false, and the pURI"
              + " comes back as it came, but for escapes that are not needed.")
  @Parameter(
      name = "id",
      required = true,
      description = "A pURI, compact or not; repeat it for more, up to 100.",
      array = @ArraySchema(schema = @Schema(type = "string")))
  List<PuriJson> read(@Parameter(hidden = true) HttpServletRequest request) {
    return IdParameters.of(request).stream().map(id -> PuriJson.read(puris, id)).toList();
  }
}
