package dev.mintmark.spring;

import dev.mintmark.Face;
import dev.mintmark.Mask;
import dev.mintmark.Masks;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.ResolvableType;
import org.springframework.core.convert.ConversionService;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.util.ObjectUtils;
import org.springframework.web.bind.support.ConfigurableWebBindingInitializer;

/**
 * Opens the faces of what is annotated with {@link Face}: path variables, parameters, headers,
 * cookies, and properties of forms, which are set by setters or by a constructor. Also the faces in
 * a list, an array of objects and an {@link Optional}.
 *
 * <p>Not a converter: after one has rejected a text, Spring reads it once more with the editor of
 * the class, and so would accept a plain UUID or number in place of a face. What a conversion
 * service itself throws is final.
 */
final class FaceConversion implements ConversionService {
  private static final TypeDescriptor TEXTS =
      TypeDescriptor.collection(List.class, TypeDescriptor.valueOf(String.class));

  private final ConversionService others;
  private final AnnotatedMasks masks;

  private FaceConversion(ConversionService others, AnnotatedMasks masks) {
    this.others = others;
    this.masks = masks;
  }

  /** Makes the binders of an adapter open faces. An initializer of another class is left alone. */
  static void addTo(@Nullable Object initializer, Masks masks, DeclaredIdTypes types) {
    if (initializer instanceof ConfigurableWebBindingInitializer binders) {
      ConversionService others = binders.getConversionService();
      if (others != null && !(others instanceof FaceConversion)) {
        binders.setConversionService(new FaceConversion(others, new AnnotatedMasks(masks, types)));
      }
    }
  }

  @Override
  public boolean canConvert(@Nullable Class<?> source, Class<?> target) {
    return others.canConvert(source, target);
  }

  @Override
  public boolean canConvert(@Nullable TypeDescriptor source, TypeDescriptor target) {
    return target.hasAnnotation(Face.class)
        ? source == null || others.canConvert(source, TEXTS)
        : others.canConvert(source, target);
  }

  @Override
  public <T> @Nullable T convert(@Nullable Object source, Class<T> target) {
    return others.convert(source, target);
  }

  @Override
  public @Nullable Object convert(
      @Nullable Object source, @Nullable TypeDescriptor sourceType, TypeDescriptor targetType) {
    Face face = targetType.getAnnotation(Face.class);
    if (face == null || source == null || !isRead(source, targetType)) {
      return others.convert(source, sourceType, targetType);
    }
    if (isValue(targetType)) {
      return masks.of(targetType.getType(), face).open(text(source, targetType));
    }
    TypeDescriptor element = element(targetType);
    Mask<?> mask = masks.of(element.getType(), face);
    @SuppressWarnings("unchecked") // As TEXTS says.
    List<String> texts = (List<String>) others.convert(source, sourceType, TEXTS);
    List<?> opened = texts == null ? List.of() : texts.stream().map(mask::open).toList();
    return targetType.getType() == Optional.class
        ? opened.stream().findFirst()
        : others.convert(
            opened,
            TypeDescriptor.collection(List.class, element),
            new TypeDescriptor(targetType.getResolvableType(), null, null));
  }

  /**
   * Whether it comes from a request: an object that a form has already is not opened again. What a
   * list or a map contains always comes from one. Usually these are texts. For a constructor,
   * Spring converts each of {@code id[0]=1&id[1]=2} by itself, without the annotation: such numbers
   * are plain identifiers.
   */
  private static boolean isRead(Object source, TypeDescriptor target) {
    return source instanceof String
        || !target.getType().isInstance(source)
        || ((target.isMap() || !isValue(target)) && !ObjectUtils.isEmpty(source));
  }

  /** Several values of one parameter are those of a list, and of nothing else. */
  private static String text(Object source, TypeDescriptor target) {
    Object only = source instanceof String[] texts && texts.length == 1 ? texts[0] : source;
    if (only instanceof String text) {
      return text;
    }
    throw new IllegalArgumentException("expected one value of " + target.getType().getName());
  }

  /** Whether it is one identifier, and nothing that contains several. */
  static boolean isValue(TypeDescriptor type) {
    return !type.isCollection() && !type.isArray() && type.getType() != Optional.class;
  }

  private static TypeDescriptor element(TypeDescriptor type) {
    TypeDescriptor element =
        type.getType() == Optional.class ? null : type.getElementTypeDescriptor();
    ResolvableType resolved =
        element == null ? type.getResolvableType().getGeneric() : element.getResolvableType();
    return new TypeDescriptor(resolved, null, null);
  }
}
