package dev.mintmark.app.cli.common;

import dev.mintmark.Form;
import dev.mintmark.IdReader;
import dev.mintmark.Order;
import dev.mintmark.app.service.MintedKind;
import dev.mintmark.warehouse.Warehouse;
import java.util.Arrays;
import java.util.Iterator;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Converters for the labels of forms, kinds, readers, orders and warehouses. */
public final class Labels {
  private Labels() {}

  /** Reads the label of a form, and lists all labels. */
  public static final class OfForm implements ITypeConverter<Form>, Iterable<String> {
    @Override
    public Form convert(String label) {
      return converted(Form::parse, label);
    }

    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(Form.values()).map(Form::label).iterator();
    }
  }

  /** Reads the label of a kind for a mint, and lists those that are minted. */
  public static final class OfMintedKind implements ITypeConverter<MintedKind>, Iterable<String> {
    @Override
    public MintedKind convert(String label) {
      return converted(MintedKind::parse, label);
    }

    @Override
    public Iterator<String> iterator() {
      return MintedKind.all().stream().map(MintedKind::label).iterator();
    }
  }

  /** Reads the label of a kind or a form that identifiers are read as, and lists all labels. */
  public static final class OfReader implements ITypeConverter<IdReader>, Iterable<String> {
    @Override
    public IdReader convert(String label) {
      return converted(IdReader::parse, label);
    }

    @Override
    public Iterator<String> iterator() {
      return IdReader.labels().iterator();
    }
  }

  /** Lists what convert reads: the labels of {@link OfReader}, and masks. */
  public static final class OfSource implements Iterable<String> {
    @Override
    public Iterator<String> iterator() {
      return Stream.concat(IdReader.labels().stream(), Stream.of(Form.MASK.label())).iterator();
    }
  }

  /** Reads the label of an order, and lists all labels. */
  public static final class OfOrder implements ITypeConverter<Order>, Iterable<String> {
    @Override
    public Order convert(String label) {
      return converted(Order::parse, label);
    }

    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(Order.values()).map(Order::label).iterator();
    }
  }

  /** Reads the label of a warehouse, and lists all labels. */
  public static final class OfWarehouse implements ITypeConverter<Warehouse>, Iterable<String> {
    @Override
    public Warehouse convert(String label) {
      return converted(Warehouse::parse, label);
    }

    @Override
    public Iterator<String> iterator() {
      return Arrays.stream(Warehouse.values()).map(Warehouse::label).iterator();
    }
  }

  private static <T> T converted(Function<String, T> parse, String label) {
    try {
      return parse.apply(label);
    } catch (IllegalArgumentException e) {
      throw new TypeConversionException(e.getMessage());
    }
  }
}
