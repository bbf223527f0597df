package dev.mintmark.app.cli;

import dev.mintmark.catalog.CatalogWriter;
import dev.mintmark.operations.doctor.CatalogDraft;
import java.util.List;

/** Writes a {@linkplain CatalogDraft draft} as YAML, with its remarks as comments. */
final class CatalogDraftPrinter {
  private CatalogDraftPrinter() {}

  /** Returns the file, which reads back as the catalog of the draft. */
  static String yaml(CatalogDraft draft) {
    CatalogWriter writer =
        new CatalogWriter()
            .heading(
                "A draft: kinds are derived from types, defaults and a sample of rows. Review it.",
                "Run mintmark catalog schema > mintmark.schema.json so that editors complete and check it.");
    List<String> leftOut =
        draft.remarks().stream()
            .filter(remark -> remark.collection().isEmpty())
            .map(remark -> "- " + remark.text())
            .toList();
    if (!leftOut.isEmpty()) {
      writer.heading("", "Left out:").heading(leftOut.toArray(String[]::new));
    }
    draft
        .remarks()
        .forEach(
            remark -> remark.collection().ifPresent(name -> writer.comment(name, remark.text())));
    return writer.write(draft.catalog());
  }
}
