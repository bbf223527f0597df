package dev.mintmark.app.http;

import dev.mintmark.Catalog;
import dev.mintmark.DeclaredFormats;
import dev.mintmark.Puris;
import dev.mintmark.app.access.Scope;
import dev.mintmark.app.service.MintRequest;
import dev.mintmark.app.service.MintedKind;
import dev.mintmark.app.service.ProcessMints;
import dev.mintmark.app.view.InspectionJson;
import dev.mintmark.app.view.MintRequestJson;
import dev.mintmark.app.view.MintedIdsJson;
import dev.mintmark.app.view.MintedKindJson;
import java.util.List;
import java.util.Objects;
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

  private final ProcessMints mints = ProcessMints.ofNow();
  private final Catalog catalog;
  private final Puris puris;
  private final DeclaredFormats formats;

  IdsController(Catalog catalog) {
    this.catalog = catalog;
    this.puris = Puris.of(catalog);
    this.formats = DeclaredFormats.of(catalog.formats());
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
    return ids.stream().map(one -> InspectionJson.inspect(one, puris, formats)).toList();
  }

  @PostMapping
  MintedIdsJson mintIds(@RequestBody MintRequestJson body, Caller caller) {
    if ((body.kind() == null) == (body.collection() == null)) {
      throw new IllegalArgumentException("expected either kind or collection");
    }
    caller.require(Scope.Kind.MINT, Objects.requireNonNullElse(body.collection(), Scope.ALL));
    int count = body.count() == null ? 1 : body.count();
    if (count < 1 || count > MINT_MAX) {
      throw new IllegalArgumentException(
          "count is %s: expected 1 to %s".formatted(count, MINT_MAX));
    }
    if (body.collection() != null) {
      MintRequest minting = MintRequest.of(catalog, body.collection()).with(body.toSettings());
      Supplier<String> source = minting.source(mints.cache(), Optional.empty());
      return new MintedIdsJson(minting.kind().label(), body.collection(), minted(source, count));
    }
    MintedKind kind = MintedKind.parse(String.valueOf(body.kind()));
    Supplier<String> source = kind.source(mints, body.toSettings(), Optional.empty());
    return new MintedIdsJson(kind.label(), null, minted(source, count));
  }

  private static List<String> minted(Supplier<String> source, int count) {
    return Stream.generate(source).limit(count).toList();
  }

  @GetMapping("/kinds")
  List<MintedKindJson> listMintedKinds() {
    return MintedKind.all().stream().map(MintedKindJson::of).toList();
  }
}
