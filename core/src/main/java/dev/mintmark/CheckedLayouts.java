package dev.mintmark;

import static dev.mintmark.Slot.fixed;
import static dev.mintmark.Slot.plain;

import java.math.BigInteger;

/** The layouts with check digits. See {@link Layouts} for their order. */
final class CheckedLayouts {
  /** ISO 2108. */
  static final Layout ISBN_13 =
      Layout.shape(
          "isbn-13",
          Written.as(Evidence.CHECK, Notation.ISBN_13),
          plain(44, "number", "prefix, group, publisher, title and check digit"));

  /** ISO 2108:1992. */
  static final Layout ISBN_10 =
      Layout.shape(
          "isbn-10",
          Written.as(Evidence.CHECK, Notation.ISBN_10),
          plain(104, "text", "group, publisher, title and check digit, 8 bits per character"));

  /** GS1 General Specifications: GTIN-13. */
  static final Layout EAN_13 =
      Layout.shape(
          "ean-13",
          Written.as(Evidence.CHECK, Notation.EAN_13),
          plain(44, "number", "prefix, company, item and check digit"));

  /** GS1 General Specifications: GTIN-8. */
  static final Layout EAN_8 =
      Layout.shape(
          "ean-8",
          Written.as(Evidence.CHECK, Notation.EAN_8),
          plain(27, "number", "prefix, item and check digit"));

  /** GS1 General Specifications: GTIN-12. */
  static final Layout UPC_A =
      Layout.shape(
          "upc-a",
          Written.as(Evidence.CHECK, Notation.UPC_A),
          plain(40, "number", "company, item and check digit"));

  /** GS1 General Specifications: GTIN-14. */
  static final Layout GTIN_14 =
      Layout.shape(
          "gtin-14",
          Written.as(Evidence.CHECK, Notation.GTIN_14),
          plain(47, "number", "level of packaging, company, item and check digit"));

  /** 3GPP TS 23.003 section 6. */
  static final Layout IMEI =
      Layout.shape(
          "imei",
          Written.as(Evidence.CHECK, Notation.IMEI),
          plain(50, "number", "type, number and check digit of the device"));

  /** ISO 13616-1. */
  static final Layout IBAN =
      Layout.shape(
          "iban",
          Written.as(Evidence.NOTATION, Notation.IBAN),
          plain(272, "text", "country, check digits and account, 8 bits per character"));

  /** ISO 3779, with the check digit of 49 CFR 565.15. */
  static final Layout VIN =
      Layout.shape(
          "vin",
          Written.as(Evidence.CHECK, Notation.VIN),
          plain(136, "text", "manufacturer, vehicle and check digit, 8 bits per character"));

  /** h3geo.org, "H3Index Bit Layout". */
  static final Layout H3 =
      Layout.shape(
          "h3-cell",
          Written.as(Evidence.CHECK, Notation.H3),
          fixed(4, "mode", BigInteger.valueOf(8), "a cell"),
          plain(4, "resolution", "0 to 15"),
          plain(7, "base_cell", "0 to 121").below(122),
          plain(45, "cell", "a digit of 0 to 6 for each resolution, then 7"));

  private CheckedLayouts() {}
}
