package dev.mintmark.jackson2;

import com.fasterxml.jackson.databind.BeanDescription;
import com.fasterxml.jackson.databind.SerializationConfig;
import com.fasterxml.jackson.databind.ser.BeanPropertyWriter;
import com.fasterxml.jackson.databind.ser.BeanSerializerModifier;
import dev.mintmark.Face;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Writes the property of the new face after that of the old one, for collections that change their
 * face.
 */
@SuppressWarnings("serial") // Jackson declares it serializable; a mapper with faces is not.
final class NewFaceProperties extends BeanSerializerModifier {
  private final Faces faces;

  NewFaceProperties(Faces faces) {
    this.faces = faces;
  }

  @Override
  public List<BeanPropertyWriter> changeProperties(
      SerializationConfig config,
      BeanDescription description,
      List<BeanPropertyWriter> properties) {
    Set<String> names =
        properties.stream().map(BeanPropertyWriter::getName).collect(Collectors.toSet());
    List<BeanPropertyWriter> changed = new ArrayList<>();
    for (BeanPropertyWriter property : properties) {
      Optional<String> suffix = suffix(property);
      boolean isAdded = suffix.isPresent() && !names.contains(property.getName() + suffix.get());
      changed.add(isAdded ? new NewFaceProperty(property, suffix.get()) : property);
    }
    return changed;
  }

  /** A virtual property has no member, and its value cannot be read twice. */
  private Optional<String> suffix(BeanPropertyWriter property) {
    if (property.isVirtual()) {
      return Optional.empty();
    }
    Face face = property.getAnnotation(Face.class);
    return face == null ? faces.suffix(property.getType()) : faces.suffix(property.getType(), face);
  }
}
