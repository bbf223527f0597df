package dev.mintmark.hibernate;

import java.lang.reflect.InvocationTargetException;
import java.util.Objects;
import java.util.Properties;
import org.hibernate.MappingException;
import org.hibernate.generator.GeneratorCreationContext;
import org.hibernate.id.Configurable;
import org.hibernate.id.enhanced.SequenceStyleGenerator;
import org.hibernate.service.ServiceRegistry;
import org.hibernate.type.Type;

/** Configures Hibernate's sequence generator for numbers, in Hibernate 7 and in 6.6. */
final class NumberSequence {
  private NumberSequence() {}

  static void configure(
      SequenceStyleGenerator numbers, GeneratorCreationContext context, Properties properties) {
    Type number =
        Objects.requireNonNull(
            context.getDatabase().getTypeConfiguration().getBasicTypeForJavaType(Long.class));
    if (isBefore7()) {
      configureBefore7(numbers, context, number, properties);
    } else {
      numbers.configure(new NumberContext(context, number), properties);
    }
  }

  private static boolean isBefore7() {
    try {
      Configurable.class.getMethod("create", GeneratorCreationContext.class);
      return true;
    } catch (NoSuchMethodException e) {
      return false;
    }
  }

  private static void configureBefore7(
      SequenceStyleGenerator numbers,
      GeneratorCreationContext context,
      Type number,
      Properties properties) {
    try {
      Configurable.class
          .getMethod("create", GeneratorCreationContext.class)
          .invoke(numbers, context);
      Configurable.class
          .getMethod("configure", Type.class, Properties.class, ServiceRegistry.class)
          .invoke(numbers, number, properties, context.getServiceRegistry());
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof RuntimeException cause) {
        throw cause;
      }
      throw new MappingException(e.getCause());
    } catch (ReflectiveOperationException e) {
      throw new MappingException(e);
    }
  }
}
