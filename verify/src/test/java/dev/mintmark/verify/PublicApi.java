package dev.mintmark.verify;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.module.ModuleDescriptor;
import java.lang.module.ModuleFinder;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarEntry;
import java.util.jar.JarFile;
import java.util.jar.JarOutputStream;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javassist.bytecode.AccessFlag;
import javassist.bytecode.ClassFile;
import javassist.bytecode.MethodInfo;

/**
 * What programs can use of a module: the public and protected members of the classes in its
 * exported packages.
 */
final class PublicApi {
  /**
   * Modules whose classes are not what programs are compiled with: the program, a job and functions
   * of Spark, versions, and the starter.
   */
  private static final Set<String> NO_LIBRARIES =
      Set.of("app", "spark", "bom", "spring-boot-starter");

  /** The modules that are libraries, by the names of their directories. */
  static final List<String> LIBRARIES =
      Pom.publishedModules().stream().filter(module -> !NO_LIBRARIES.contains(module)).toList();

  private static final FileTime TIME = FileTime.from(Instant.parse("1980-01-01T00:00:00Z"));

  private PublicApi() {}

  /** Returns the jar of a module that this build has packaged. */
  static Path jar(String library) throws IOException {
    Path target = Checkout.root().resolve(library).resolve("target");
    String name = "mintmark-" + library + "-[0-9][^-]*(-SNAPSHOT)?[.]jar";
    try (Stream<Path> files = Files.list(target)) {
      return files
          .filter(file -> file.getFileName().toString().matches(name))
          .findAny()
          .orElseThrow(() -> new IllegalStateException("no jar of " + library + " in " + target));
    }
  }

  /** Returns the packages that a jar exports to everybody; of an automatic module, all packages. */
  static Set<String> packages(Path jar) {
    ModuleDescriptor module = ModuleFinder.of(jar).findAll().iterator().next().descriptor();
    return module.isAutomatic()
        ? module.packages().stream()
            .filter(name -> !name.contains(".internal"))
            .collect(Collectors.toCollection(TreeSet::new))
        : module.exports().stream()
            .filter(exports -> !exports.isQualified())
            .map(ModuleDescriptor.Exports::source)
            .collect(Collectors.toCollection(TreeSet::new));
  }

  /** Writes a jar with the declarations of a jar that programs can use, and without any code. */
  static void writeDeclarations(Path jar, Path declarations) throws IOException {
    Map<String, ClassFile> classes = classes(jar);
    Map<String, ClassFile> kept = new TreeMap<>();
    for (Map.Entry<String, ClassFile> each : classes.entrySet()) {
      if (isVisible(each.getValue().getAccessFlags())) {
        keep(each.getKey(), classes, kept);
      }
    }
    Files.createDirectories(declarations.getParent());
    try (OutputStream file = Files.newOutputStream(declarations);
        JarOutputStream out = new JarOutputStream(file)) {
      for (Map.Entry<String, ClassFile> each : kept.entrySet()) {
        JarEntry entry = new JarEntry(each.getKey().replace('.', '/') + ".class");
        entry.setLastModifiedTime(TIME);
        out.putNextEntry(entry);
        out.write(declarations(each.getValue()));
        out.closeEntry();
      }
    }
  }

  /** Keeps a class with the classes that it inherits members from. */
  private static void keep(
      String name, Map<String, ClassFile> classes, Map<String, ClassFile> kept) {
    ClassFile found = classes.get(name);
    if (found != null && kept.putIfAbsent(name, found) == null) {
      keep(found.getSuperclass(), classes, kept);
      for (String implemented : found.getInterfaces()) {
        keep(implemented, classes, kept);
      }
    }
  }

  private static Map<String, ClassFile> classes(Path jar) throws IOException {
    Set<String> packages = packages(jar);
    Map<String, ClassFile> classes = new TreeMap<>();
    try (JarFile in = new JarFile(jar.toFile())) {
      for (JarEntry entry : in.stream().toList()) {
        String file = entry.getName();
        int end = file.lastIndexOf('/');
        if (file.endsWith(".class")
            && end > 0
            && packages.contains(file.substring(0, end).replace('/', '.'))) {
          try (InputStream code = in.getInputStream(entry)) {
            ClassFile found = new ClassFile(new DataInputStream(code));
            classes.put(found.getName(), found);
          }
        }
      }
    }
    return classes;
  }

  private static byte[] declarations(ClassFile found) throws IOException {
    found.getMethods().removeIf(method -> !isVisible(method.getAccessFlags()));
    found.getFields().removeIf(field -> !isVisible(field.getAccessFlags()));
    found.getMethods().forEach(MethodInfo::removeCodeAttribute);
    found.compact();
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    found.write(new DataOutputStream(bytes));
    return bytes.toByteArray();
  }

  private static boolean isVisible(int accessFlags) {
    return (accessFlags & (AccessFlag.PUBLIC | AccessFlag.PROTECTED)) != 0;
  }
}
