package dev.syncguard.site;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.source.tree.AnnotationTree;
import com.sun.source.tree.ClassTree;
import com.sun.source.tree.CompilationUnitTree;
import com.sun.source.tree.ExportsTree;
import com.sun.source.tree.MethodTree;
import com.sun.source.tree.ModifiersTree;
import com.sun.source.tree.Tree;
import com.sun.source.tree.VariableTree;
import com.sun.source.util.DocTrees;
import com.sun.source.util.JavacTask;
import com.sun.source.util.SourcePositions;
import com.sun.source.util.TreePathScanner;
import com.sun.source.util.TreeScanner;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.lang.model.element.Modifier;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * What an editor shows to those who depend on our artefacts. That the comments are sound HTML and name what exists is the
 * compiler's to check; it would also ask for a {@code @param} and a {@code @return} that repeat the first sentence.
 */
class JavadocTest {
  private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
  private static final Pattern MODULE = Pattern.compile("<artifactId>syncguard-(.*)</artifactId>");

  private static List<String> publishedModules() throws IOException {
    return MODULE
        .matcher(Files.readString(ROOT.resolve("bom/pom.xml")))
        .results()
        .map((MatchResult match) -> match.group(1))
        .filter(name -> Files.isDirectory(ROOT.resolve(name).resolve("src/main/java")))
        .toList();
  }

  @Test
  void everythingThatUsersCanNameSaysWhatItIs() throws IOException {
    List<String> silent = new ArrayList<>();
    int told = 0;
    for (String module : publishedModules()) {
      Sources sources = Sources.of(ROOT.resolve(module).resolve("src/main/java"));
      for (CompilationUnitTree unit : sources.exported()) {
        Members members = new Members(unit, sources.docs);
        members.scan(unit, null);
        silent.addAll(members.silent);
        told += members.told;
      }
    }
    assertThat(told).isGreaterThan(1500);
    assertThat(silent).isEmpty();
  }

  /** The sources of one module. */
  private record Sources(List<CompilationUnitTree> units, DocTrees docs) {
    static Sources of(Path directory) throws IOException {
      JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
      StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null);
      List<Path> paths;
      try (Stream<Path> tree = Files.walk(directory)) {
        paths = tree.filter(path -> path.toString().endsWith(".java")).toList();
      }
      JavacTask task = (JavacTask) compiler.getTask(
          null, files, null, List.of("-proc:none"), null, files.getJavaFileObjectsFromPaths(paths));
      List<CompilationUnitTree> units = new ArrayList<>();
      task.parse().forEach(units::add);
      return new Sources(units, DocTrees.instance(task));
    }

    /** Returns what is in exported packages; without a module descriptor, all packages are. */
    List<CompilationUnitTree> exported() {
      Set<String> packages = new HashSet<>();
      units.forEach(unit -> unit.accept(
          new TreeScanner<@Nullable Void, @Nullable Void>() {
            @Override
            public @Nullable Void visitExports(ExportsTree exports, @Nullable Void unused) {
              packages.add(exports.getPackageName().toString());
              return null;
            }
          },
          null));
      return units.stream()
          .filter(unit ->
              packages.isEmpty() || packages.contains(String.valueOf(unit.getPackageName())))
          .toList();
    }
  }

  /** Collects the members of one file that are public or protected and have no comment. */
  private static final class Members extends TreePathScanner<@Nullable Void, @Nullable ClassTree> {
    final List<String> silent = new ArrayList<>();
    int told;
    private final CompilationUnitTree unit;
    private final DocTrees docs;
    private final SourcePositions positions;

    Members(CompilationUnitTree unit, DocTrees docs) {
      this.unit = unit;
      this.docs = docs;
      this.positions = docs.getSourcePositions();
    }

    @Override
    public @Nullable Void visitClass(ClassTree type, @Nullable ClassTree outer) {
      if (isOpen(type.getModifiers(), outer)) {
        check(type, type.getModifiers(), type.getSimpleName().toString());
        for (Tree member : type.getMembers()) {
          scan(member, type);
        }
      }
      return null;
    }

    @Override
    public @Nullable Void visitMethod(MethodTree method, @Nullable ClassTree owner) {
      if (isOpen(method.getModifiers(), owner) && isWritten(method, owner)) {
        check(method, method.getModifiers(), method.getName().toString());
      }
      return null;
    }

    @Override
    public @Nullable Void visitVariable(VariableTree field, @Nullable ClassTree owner) {
      if (isOpen(field.getModifiers(), owner) && !isComponent(field, owner)) {
        check(field, field.getModifiers(), field.getName().toString());
      }
      return null;
    }

    private static boolean isOpen(ModifiersTree modifiers, @Nullable ClassTree owner) {
      Set<Modifier> flags = modifiers.getFlags();
      boolean implicit = owner != null
          && (owner.getKind() == Tree.Kind.INTERFACE
              || owner.getKind() == Tree.Kind.ANNOTATION_TYPE);
      return flags.contains(Modifier.PUBLIC)
          || flags.contains(Modifier.PROTECTED)
          || (implicit && !flags.contains(Modifier.PRIVATE));
    }

    /** The constructor of a record is told by the record, and an implicit one is nowhere in the file. */
    private boolean isWritten(MethodTree method, @Nullable ClassTree owner) {
      boolean canonical = owner != null
          && owner.getKind() == Tree.Kind.RECORD
          && method.getName().contentEquals("<init>")
          && !text(method).split("\\{", 2)[0].contains("(");
      return !canonical && positions.getEndPosition(unit, method) >= 0;
    }

    private String text(Tree tree) {
      try {
        return unit.getSourceFile()
            .getCharContent(true)
            .subSequence((int) positions.getStartPosition(unit, tree), (int) Math.max(
                positions.getStartPosition(unit, tree), positions.getEndPosition(unit, tree)))
            .toString();
      } catch (IOException e) {
        throw new AssertionError(e);
      }
    }

    private static boolean isComponent(VariableTree field, @Nullable ClassTree owner) {
      return owner != null
          && owner.getKind() == Tree.Kind.RECORD
          && !field.getModifiers().getFlags().contains(Modifier.STATIC);
    }

    private void check(Tree member, ModifiersTree modifiers, String name) {
      if (docs.getDocComment(getCurrentPath()) != null || overrides(modifiers)) {
        told++;
      } else {
        long line = unit.getLineMap().getLineNumber(positions.getStartPosition(unit, member));
        silent.add(
            ROOT.relativize(Path.of(unit.getSourceFile().toUri())) + ":" + line + " " + name);
      }
    }

    private static boolean overrides(ModifiersTree modifiers) {
      return modifiers.getAnnotations().stream()
          .map(AnnotationTree::getAnnotationType)
          .anyMatch(type -> type.toString().equals("Override"));
    }
  }
}
