package dev.mintmark.app.http;

import dev.mintmark.Catalog;
import dev.mintmark.Kind;
import dev.mintmark.MintCache;
import dev.mintmark.MintOptions;
import dev.mintmark.Puris;
import dev.mintmark.app.service.MintRequest;
import dev.mintmark.app.view.InspectionJson;
import dev.mintmark.app.view.MintRequestJson;
import dev.mintmark.app.view.MintedIdsJson;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.springframework.http.MediaType;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.InitBinder;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestMapping;
import org.springframework.web.bind.annotation.RequestParam;
import org.springframework.web.bind.annotation.RestController;

/** {@code /v1/ids}: inspects and mints identifiers. */
@RestController
@RequestMapping(
    path = "/v1/ids",
    produces = {MediaType.APPLICATION_JSON_VALUE, MediaType.APPLICATION_PROBLEM_JSON_VALUE})
class IdsController {
  /** Identifiers minted in one request at most. */
  private static final int MINT_MAX = 10_000;

  private final MintCache mints = MintCache.of(MintOptions.DEFAULT);
  private final Catalog catalog;
  private final Puris puris;

  IdsController(Catalog catalog) {
    this.catalog = catalog;
    this.puris = Puris.of(catalog);
  }

  @InitBinder
  void keepCommas(WebDataBinder binder) {
    IdParameters.keepCommas(binder);
  }

  @GetMapping
  List<InspectionJson> inspectIds(@RequestParam String[] id) {
    List<String> ids =
        IdParameters.of(id).stream().flatMap(text -> InspectionJson.lines(text).stream()).toList();
    IdParameters.checkCount(ids.size());
    return ids.stream().map(one -> InspectionJson.inspect(one, puris)).toList();
  }

  @PostMapping
  MintedIdsJson mintIds(@RequestBody MintRequestJson body) {
    if ((body.kind() == null) == (body.collection() == null)) {
      throw new IllegalArgumentException("expected either kind or collection");
    }
    int count = body.count() == null ? 1 : body.count();
    if (count < 1 || count > MINT_MAX) {
      throw new IllegalArgumentException(
          "count is %d: expected 1 to %d".formatted(count, MINT_MAX));
    }
    MintRequest minting =
        body.collection() != null
            ? MintRequest.of(catalog, body.collection())
            : MintRequest.of(Kind.parseForMint(String.valueOf(body.kind())));
    Supplier<String> source = minting.with(body.toSettings()).source(mints, Optional.empty());
    List<String> ids = Stream.generate(source).limit(count).toList();
    return new MintedIdsJson(minting.kind().label(), body.collection(), ids);
  }
}
