package dev.mintmark.spring;

import dev.mintmark.Face;
import dev.mintmark.Mask;
import dev.mintmark.Masks;
import java.util.Objects;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.core.convert.converter.ConditionalGenericConverter;
import org.springframework.core.convert.converter.ConverterRegistry;

/**
 * Shows the faces of what is annotated with {@link Face} where Spring writes it as text: in the
 * addresses of controllers, and in the fields of forms. {@link FaceConversion} opens them.
 */
final class FaceFormat implements ConditionalGenericConverter {
  /** A converter for any class is asked after one of Spring for this class. */
  private static final ConvertiblePair UUIDS = new ConvertiblePair(UUID.class, String.class);

  private final AnnotatedMasks masks;
  private final @Nullable Set<ConvertiblePair> pairs;

  private FaceFormat(AnnotatedMasks masks, @Nullable Set<ConvertiblePair> pairs) {
    this.masks = masks;
    this.pairs = pairs;
  }

  static void addTo(ConverterRegistry registry, Masks masks, DeclaredIdTypes types) {
    AnnotatedMasks annotated = new AnnotatedMasks(masks, types);
    registry.addConverter(new FaceFormat(annotated, null));
    registry.addConverter(new FaceFormat(annotated, Set.of(UUIDS)));
  }

  @Override
  public @Nullable Set<ConvertiblePair> getConvertibleTypes() {
    return pairs;
  }

  @Override
  public boolean matches(TypeDescriptor source, TypeDescriptor target) {
    return target.getType() == String.class
        && source.getType() != String.class
        && source.hasAnnotation(Face.class)
        && FaceConversion.isValue(source);
  }

  @Override
  public @Nullable Object convert(
      @Nullable Object source, TypeDescriptor sourceType, TypeDescriptor targetType) {
    Face face = Objects.requireNonNull(sourceType.getAnnotation(Face.class));
    return source == null ? null : show(masks.of(sourceType.getType(), face), source);
  }

  @SuppressWarnings("unchecked") // The mask is of the class of the identifier.
  private static <T> String show(Mask<T> mask, Object id) {
    return mask.showAlone((T) id);
  }
}
