package dev.mintmark.app.view;

import dev.mintmark.app.service.MintedKind;
import java.util.List;

/** A kind that is minted, with its settings, as JSON. */
public record MintedKindJson(String kind, List<String> required, List<String> optional) {
  public static MintedKindJson of(MintedKind kind) {
    return new MintedKindJson(kind.label(), labels(kind.required()), labels(kind.optional()));
  }

  private static List<String> labels(List<MintedKind.Setting> settings) {
    return settings.stream().map(MintedKind.Setting::label).toList();
  }
}
