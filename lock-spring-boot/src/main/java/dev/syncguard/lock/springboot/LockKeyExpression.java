package dev.syncguard.lock.springboot;

import dev.syncguard.lock.LockKey;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Collection;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.springframework.context.expression.MethodBasedEvaluationContext;
import org.springframework.core.DefaultParameterNameDiscoverer;
import org.springframework.core.convert.TypeDescriptor;
import org.springframework.expression.BeanResolver;
import org.springframework.expression.TypeConverter;
import org.springframework.expression.spel.SpelNode;
import org.springframework.expression.spel.ast.VariableReference;
import org.springframework.expression.spel.standard.SpelExpression;
import org.springframework.expression.spel.standard.SpelExpressionParser;
import org.springframework.expression.spel.support.StandardTypeConverter;
import org.springframework.util.CollectionUtils;

/** The SpEL expression that computes the key of a call. Thread-safe. */
final class LockKeyExpression implements LockedOperation.KeySource {

  private final Method method;
  private final BeanResolver beans;
  private final SpelExpression expression;
  private final DefaultParameterNameDiscoverer names = new DefaultParameterNameDiscoverer();

  /** Reads an expression, and throws if it asks for a parameter that the method does not have. */
  LockKeyExpression(String text, Method method, BeanResolver beans) {
    this.method = method;
    this.beans = beans;
    this.expression = new SpelExpressionParser().parseRaw(text);
    requireKnown(expression.getAST(), variables());
  }

  private Set<String> variables() {
    Set<String> known = new HashSet<>(Set.of("root", "this"));
    String[] parameters = names.getParameterNames(method);
    if (parameters != null) {
      known.addAll(Arrays.asList(parameters));
    }
    for (int i = 0; i < method.getParameterCount(); i++) {
      known.add("a" + i);
      known.add("p" + i);
    }
    return known;
  }

  /** An unknown variable is null: {@code 'order:' + #typo} would be one key for all orders. */
  private static void requireKnown(SpelNode node, Set<String> variables) {
    if (node instanceof VariableReference
        && !variables.contains(node.toStringAST().substring(1))) {
      throw new IllegalStateException("its key asks for " + node.toStringAST() + ", which is no"
          + " parameter of it. Are parameter names compiled in (-parameters)?");
    }
    for (int i = 0; i < node.getChildCount(); i++) {
      requireKnown(node.getChild(i), variables);
    }
  }

  @Override
  public LockKey of(Object target, @Nullable Object[] arguments) {
    MethodBasedEvaluationContext context =
        new MethodBasedEvaluationContext(target, method, arguments, names);
    context.setBeanResolver(beans);
    context.setTypeConverter(new PartsOfKeys());
    Object value = expression.getValue(context);
    if (value == null) {
      throw new IllegalStateException(LockedOperation.nameOf(method) + ": the key is null");
    }
    requireSaysWhatItIs(value);
    return LockKey.of(value.toString());
  }

  /** What becomes text on its way into a key, as in {@code 'order:' + #order}, must identify something as well. */
  private final class PartsOfKeys implements TypeConverter {
    private final TypeConverter usual = new StandardTypeConverter();

    @Override
    public boolean canConvert(@Nullable TypeDescriptor from, TypeDescriptor to) {
      return to.getType() == String.class || usual.canConvert(from, to);
    }

    @Override
    public @Nullable Object convertValue(
        @Nullable Object value, @Nullable TypeDescriptor from, TypeDescriptor to) {
      boolean known = usual.canConvert(from, to);
      if (to.getType() == String.class && value != null) {
        requireSaysWhatItIs(
            known && value.getClass().isArray() ? CollectionUtils.arrayToList(value) : value);
      }
      return known ? usual.convertValue(value, from, to) : String.valueOf(value);
    }
  }

  private void requireSaysWhatItIs(Object value) {
    if (value instanceof Collection<?> parts) {
      parts.stream().filter(Objects::nonNull).forEach(this::requireSaysWhatItIs);
    } else if (!hasToString(value)) {
      throw new IllegalStateException(LockedOperation.nameOf(method) + ": its key contains "
          + value.getClass().getSimpleName() + ", which has no toString of its own, so every object"
          + " would be another key. Name what identifies it, such as #order.id");
    }
  }

  private static boolean hasToString(Object value) {
    try {
      return value.getClass().getMethod("toString").getDeclaringClass() != Object.class;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("Every object has toString", e);
    }
  }
}
