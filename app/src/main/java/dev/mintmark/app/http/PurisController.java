package dev.mintmark.app.http;

import dev.mintmark.Catalog;
import dev.mintmark.Puris;
import dev.mintmark.app.view.PuriJson;
import java.util.List;
import org.springframework.http.MediaType;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/puris}: pURIs read with the catalog. */
@RestController
@RequestMapping(
    path = "/v1/puris",
    produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
class PurisController {
  private final Puris puris;

  PurisController(Catalog catalog) {
    this.puris = Puris.of(catalog);
  }

  @InitBinder
  void keepCommas(WebDataBinder binder) {
    IdParameters.keepCommas(binder);
  }

  @GetMapping
  List<PuriJson> readPuris(@RequestParam String[] id) {
    return IdParameters.of(id).stream().map(puri -> PuriJson.read(puris, puri)).toList();
  }
}
