package dev.mintmark.spring;

import dev.mintmark.Face;
import dev.mintmark.Mask;
import dev.mintmark.Masks;
import java.beans.PropertyEditorSupport;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.springframework.core.MethodParameter;
import org.springframework.web.bind.WebDataBinder;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.annotation.AbstractNamedValueMethodArgumentResolver;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;

/**
 * Opens the faces of path variables, parameters, headers and cookies that are annotated with {@link
 * Face}. Not a converter: after one has rejected a text, Spring reads it once more with the editor
 * of the class, and so would accept a plain UUID or number in place of a face.
 */
final class FaceParameters implements HandlerMethodArgumentResolver {
  private final Masks masks;
  private final List<HandlerMethodArgumentResolver> others;

  private FaceParameters(Masks masks, List<HandlerMethodArgumentResolver> others) {
    this.masks = masks;
    this.others = List.copyOf(others);
  }

  /** Returns resolvers, with that of faces before them. */
  static List<HandlerMethodArgumentResolver> before(
      List<HandlerMethodArgumentResolver> others, Masks masks) {
    List<HandlerMethodArgumentResolver> all = new ArrayList<>();
    all.add(new FaceParameters(masks, others));
    all.addAll(others);
    return all;
  }

  @Override
  public boolean supportsParameter(MethodParameter parameter) {
    return parameter.hasParameterAnnotation(Face.class) && other(parameter).isPresent();
  }

  @Override
  public @Nullable Object resolveArgument(
      MethodParameter parameter,
      @Nullable ModelAndViewContainer container,
      NativeWebRequest request,
      @Nullable WebDataBinderFactory binders)
      throws Exception {
    Face face = parameter.getParameterAnnotation(Face.class);
    if (face == null || binders == null) {
      throw new IllegalStateException("not supported: " + parameter);
    }
    Class<?> javaType = parameter.getParameterType();
    Mask<?> mask = masks.of(javaType, face.value());
    return other(parameter)
        .orElseThrow()
        .resolveArgument(
            parameter,
            container,
            request,
            (each, target, name) -> {
              WebDataBinder binder = binders.createBinder(each, target, name);
              binder.registerCustomEditor(javaType, new FaceEditor(mask));
              return binder;
            });
  }

  /** The one of Spring that finds the text of the parameter: not that of a body. */
  private Optional<HandlerMethodArgumentResolver> other(MethodParameter parameter) {
    return others.stream()
        .filter(each -> each.supportsParameter(parameter))
        .findFirst()
        .filter(AbstractNamedValueMethodArgumentResolver.class::isInstance);
  }

  /** Of one binder, and so of one thread. */
  private static final class FaceEditor extends PropertyEditorSupport {
    private final Mask<?> mask;

    FaceEditor(Mask<?> mask) {
      this.mask = mask;
    }

    @Override
    public void setAsText(String text) {
      setValue(mask.open(text));
    }
  }
}
