package dev.syncguard.rules;

import static dev.syncguard.rules.ExpressionCorpusTest.fields;
import static dev.syncguard.rules.ExpressionCorpusTest.rulesFor;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.firestore.v1.ArrayValue;
import com.google.firestore.v1.MapValue;
import com.google.firestore.v1.Value;
import com.google.protobuf.ByteString;
import com.google.protobuf.NullValue;
import com.google.protobuf.Timestamp;
import com.google.type.LatLng;
import dev.syncguard.rules.evaluation.LookupBudget;
import dev.syncguard.rules.evaluation.RulesLookup;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DecisionTest {

  private final List<String> lookedUp = new ArrayList<>();

  private final RulesLookup database = path -> {
    lookedUp.add(path);
    return Optional.of(fields(Map.of("n", 1)));
  };

  private static final RulesRequest GET = RulesRequest.get("cities/paris", Optional.empty());

  private static Rules compile(String body) {
    return RulesFile.compile("rules_version = '2';\nservice cloud.firestore {\n"
            + "match /databases/{database}/documents {\n" + body + "\n}\n}")
        .rules()
        .orElseThrow();
  }

  private static Decision decide(Rules rules, RulesRequest request) {
    return rules.decide(request, LookupBudget.single(RulesLookup.EMPTY));
  }

  private static String exists(int from, int to) {
    return IntStream.range(from, to)
        .mapToObj(i -> "exists(/databases/$(database)/documents/users/u" + i + ")")
        .collect(Collectors.joining(" && "));
  }

  @Test
  void theMessageIsThatOfTheEmulator() {
    Rules rules = compile("""
        match /cities/{city} {
          allow get: if city == 'rome';
          allow get:
            if resource.data.open == true;
          allow get: if resource.id == city || request.auth.token.admin;
        }
        match /towns/{town} { allow get; }""");
    assertThat(decide(rules, GET).message())
        .isEqualTo("\nfalse for 'get' @ L5"
            + ", evaluation error at L7:8 for 'get' @ L7, Null value error. for 'get' @ L7"
            + ", evaluation error at L8:17 for 'get' @ L8, Null value error. for 'get' @ L8");
    assertThat(decide(rules, RulesRequest.get("villages/x", Optional.empty())).message())
        .isEqualTo("\nNo matching allow statements");
    Decision allowed = decide(rules, RulesRequest.get("towns/x", Optional.empty()));
    assertThat(allowed.message()).isEmpty();
    assertThat(allowed.grantedBy().orElseThrow().range().line()).isEqualTo(10);
  }

  @Test
  void aMissingPropertyIsNamed() {
    RulesRequest request = RulesRequest.get("cities/paris", Optional.of(fields(Map.of())));
    assertThat(decide(rulesFor("resource.data.open"), request).message())
        .contains("Property open is undefined on object.");
  }

  @Test
  void whichOfReadAndWriteAMethodIsCounts() {
    Rules rules = compile("match /cities/{city} { allow create: if true; allow list: if true; }");
    Optional<dev.syncguard.rules.value.RulesValue.MapValue> some = Optional.of(fields(Map.of()));
    assertThat(decide(rules, RulesRequest.write("cities/x", Optional.empty(), some))
            .allowed())
        .isTrue();
    assertThat(decide(rules, RulesRequest.write("cities/x", some, some)).allowed())
        .isFalse();
    assertThat(decide(rules, RulesRequest.write("cities/x", some, Optional.empty()))
            .allowed())
        .isFalse();
    assertThat(decide(rules, GET).allowed()).isFalse();
  }

  @Test
  void functionsSeeTheNamesOfWhereTheyStandAndNotOfWhereTheyAreCalled() {
    Rules rules = compile("""
        function seesDatabase() { return database == '(default)'; }
        function seesCity() { return city == 'paris'; }
        match /cities/{city} {
          allow get: if seesDatabase();
          allow delete: if seesCity();
        }""");
    assertThat(decide(rules, GET).allowed()).isTrue();
    RulesRequest delete =
        RulesRequest.write("cities/paris", Optional.of(fields(Map.of())), Optional.empty());
    assertThat(decide(rules, delete).message()).contains("Variable not found: city.");
  }

  @Test
  void whatFailsMayBeHandedToAFunctionThatDoesNotUseIt() {
    Rules rules = compile("""
        function first(a, b) { let unused = b.nothing; return a; }
        match /cities/{city} { allow get: if first(true, resource.data); }""");
    assertThat(decide(rules, GET).allowed()).isTrue();
  }

  @Test
  void tooManyExpressionsAreDeniedAndNotRescued() {
    String sums = "1" + " + 1".repeat(350);
    Decision decision = decide(rulesFor("true || 1 == 1"), GET);
    assertThat(decision.allowed()).isTrue();
    Rules large = compile("function sum() { return " + sums + "; }\n"
        + "match /cities/{city} { allow get: if sum() + sum() + sum() == 0 || true; }");
    Decision denied = decide(large, GET);
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.message()).contains("More than 1000 expressions");
  }

  @Test
  void callsMayBeTwentyDeepButNotMore() {
    for (int depth : new int[] {20, 21}) {
      StringBuilder functions = new StringBuilder("function f1() { return true; }\n");
      for (int i = 2; i <= depth; i++) {
        functions.append("function f" + i + "() { return f" + (i - 1) + "(); }\n");
      }
      Rules rules = compile(functions + "match /cities/{city} { allow get: if f" + depth + "(); }");
      assertThat(decide(rules, GET).allowed()).isEqualTo(depth == 20);
    }
  }

  @Test
  void listsThatContainEachOtherTwiceDoNotGrowForever() {
    StringBuilder functions = new StringBuilder("function f0(x) { return [x, x]; }\n");
    for (int i = 1; i < 8; i++) {
      String inner = "f" + (i - 1);
      functions.append("function f" + i + "(x) { let a = [" + inner + "(x), " + inner
          + "(x)]; let b = [a, a]; let c = [b, b].concat([b]); return {'k': [c, c]}; }\n");
    }
    Rules rules =
        compile(functions + "match /cities/{city} { allow get: if f5(city) == f5(city) || true; }");
    assertThat(decide(rules, GET).message()).contains("A value became too large.");
  }

  @Test
  void noStringGrowsForever() {
    String large = "x".repeat(1_000_000);
    RulesRequest request = RulesRequest.get("cities/x", Optional.of(fields(Map.of("s", large))));
    String s = "resource.data.s";
    for (String growing : List.of(
        s + " + " + s + " + " + s,
        s + ".replace('x', " + s + ")",
        s + ".split('').join(" + s + ")",
        "[" + s + ", " + s + ", " + s + "].join('')")) {
      assertThat(decide(rulesFor("(" + growing + ").size() > 0"), request).allowed())
          .as(growing)
          .isFalse();
    }
    assertThat(decide(rulesFor(s + ".replace('x', 'y').size() == 1000000"), request)
            .allowed())
        .isTrue();
  }

  @Test
  void noRegularExpressionTakesForever() {
    RulesRequest request =
        RulesRequest.get("cities/x", Optional.of(fields(Map.of("s", "a".repeat(1_000_000)))));
    assertThat(decide(rulesFor("resource.data.s.matches('(a{100}){100}')"), request)
            .message())
        .contains("would take too long");
    assertThat(decide(rulesFor("resource.data.s.matches('a+')"), request).allowed())
        .isTrue();
  }

  @Test
  void noExpressionIsTooDeepForASmallStack() throws Exception {
    Map<String, String> deep = Map.of(
        "members", "resource" + ".data".repeat(390),
        "methods", "city" + ".trim()".repeat(390) + " == city",
        "sums", "1" + " + 1".repeat(390) + " == 2",
        "or", "city == 'x'" + " || city == 'x'".repeat(390),
        "brackets", "(".repeat(95) + "city == 'x'" + ")".repeat(95),
        "choices", "city == 'x' ? true : ".repeat(95) + "true",
        "lists", "[".repeat(95) + "1" + "]".repeat(95) + " == []");
    List<Throwable> thrown = new ArrayList<>();
    Thread thread = new Thread(
        null,
        () -> deep.forEach((kind, condition) -> {
          Rules rules = rulesFor(condition);
          var coverage = new dev.syncguard.rules.report.Coverage(rules.source());
          rules.decide(GET, LookupBudget.single(RulesLookup.EMPTY), coverage);
          assertThat(dev.syncguard.rules.report.CoverageHtml.of(coverage)).contains("</html>");
        }),
        "small stack",
        768 * 1024);
    thread.setUncaughtExceptionHandler((unused, failure) -> thrown.add(failure));
    thread.start();
    thread.join();
    assertThat(thrown).isEmpty();
  }

  @Test
  void tenDocumentsMayBeLookedUpForOneRequest() {
    assertThat(
            rulesFor(exists(0, 10)).decide(GET, LookupBudget.single(database)).allowed())
        .isTrue();
    Decision denied =
        rulesFor("(" + exists(0, 11) + ") || true").decide(GET, LookupBudget.single(database));
    assertThat(denied.allowed()).isFalse();
    assertThat(denied.message()).contains("Too many document access calls");
  }

  @Test
  void aDocumentThatIsLookedUpAgainCostsNothing() {
    String again = String.join(" && ", java.util.Collections.nCopies(5, exists(0, 9)));
    assertThat(rulesFor(again).decide(GET, LookupBudget.single(database)).allowed())
        .isTrue();
    assertThat(lookedUp).hasSize(9);
  }

  @Test
  void severalWritesShareTwentyLookupsOfWhichEachHasTen() {
    LookupBudget budget = LookupBudget.several(database);
    assertThat(rulesFor(exists(0, 10)).decide(GET, budget).allowed()).isTrue();
    assertThat(rulesFor(exists(10, 20)).decide(GET, budget).allowed()).isTrue();
    assertThat(rulesFor(exists(20, 21)).decide(GET, budget).allowed()).isFalse();
    assertThat(
            rulesFor(exists(0, 11)).decide(GET, LookupBudget.several(database)).allowed())
        .isFalse();
  }

  @Test
  void everyTypeOfFirestoreHasItsTypeInRules() {
    Map<String, Value> all = Map.of(
        "bool", Value.newBuilder().setBooleanValue(true).build(),
        "int", Value.newBuilder().setIntegerValue(1).build(),
        "float", Value.newBuilder().setDoubleValue(1).build(),
        "string", Value.newBuilder().setStringValue("a").build(),
        "bytes", Value.newBuilder().setBytesValue(ByteString.copyFromUtf8("a")).build(),
        "timestamp",
            Value.newBuilder()
                .setTimestampValue(Timestamp.newBuilder().setSeconds(1))
                .build(),
        "latlng",
            Value.newBuilder()
                .setGeoPointValue(LatLng.newBuilder().setLatitude(1))
                .build(),
        "list",
            Value.newBuilder().setArrayValue(ArrayValue.getDefaultInstance()).build(),
        "map", Value.newBuilder().setMapValue(MapValue.getDefaultInstance()).build(),
        "path",
            Value.newBuilder()
                .setReferenceValue("projects/p/databases/(default)/documents/a/b")
                .build());
    RulesRequest request = RulesRequest.get("cities/paris", Optional.of(RulesValues.ofFields(all)));
    for (String type : all.keySet()) {
      assertThat(decide(rulesFor("resource.data['" + type + "'] is " + type), request)
              .allowed())
          .as(type)
          .isTrue();
    }
    assertThat(decide(rulesFor("resource.data.path == /databases/(default)/documents/a/b"), request)
            .allowed())
        .isTrue();
    RulesRequest none = RulesRequest.get(
        "cities/paris",
        Optional.of(RulesValues.ofFields(
            Map.of("x", Value.newBuilder().setNullValue(NullValue.NULL_VALUE).build()))));
    assertThat(decide(rulesFor("resource.data.x == null && resource.data == {'x': null}"), none)
            .allowed())
        .isTrue();
  }

  @Test
  void aRequestThatContradictsItselfCannotBeMade() {
    assertThatThrownBy(() -> RulesRequest.get("cities", Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> new RulesRequest(
            dev.syncguard.rules.syntax.RulesMethod.LIST,
            "(default)",
            List.of(),
            Optional.empty(),
            Optional.empty(),
            java.time.Instant.EPOCH,
            Optional.empty(),
            Optional.empty()))
        .isInstanceOf(IllegalArgumentException.class);
  }
}
