package dev.syncguard.userscript.build;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.util.List;
import org.junit.jupiter.api.Test;

class EagerFunctionsTest {

  @Test
  void theFunctionsOfTheScriptStandInParentheses() {
    assertThat(eager("(function(){let A=(a,b)=>{if(a){b();}},B=c=>{return c;},\nC\n=()=>{};})();"))
        .isEqualTo(
            "(function(){let A=((a,b)=>{if(a){b();}}),B=(c=>{return c;}),\nC\n=(()=>{});})();");
  }

  @Test
  void whatIsNoSuchFunctionStaysAsItIs() {
    String script = "(function(){let a=b=>b,c=d=>e=>{f();};function g(){let h=i=>{j();};}"
        + "k=l>=m?{}:n;o={p:1};})();";
    assertThat(eager(script)).isEqualTo(script);
  }

  @Test
  void bracesInTextsAndRegularExpressionsOpenNothing() {
    assertThat(eager("(function(){let A=a=>{return /[{/'\"]\\/{/.test(a);},B=\"\\\"={\",C='=b=>{',"
            + "D=4/2,E=c=>{d=6/3;return e/'/';};})();"))
        .isEqualTo("(function(){let A=(a=>{return /[{/'\"]\\/{/.test(a);}),B=\"\\\"={\",C='=b=>{',"
            + "D=4/2,E=(c=>{d=6/3;return e/'/';});})();");
  }

  @Test
  void aScriptThatEndsInTheMiddleIsRefused() {
    assertThatIllegalStateException().isThrownBy(() -> eager("(function(){let A=a=>{"));
    assertThatIllegalStateException().isThrownBy(() -> eager("(function(){let A=\"});"));
  }

  private static String eager(String script) {
    return UserscriptBuild.with(EagerFunctions.places(script), script);
  }

  @Test
  void theSourceMapFollowsWhatMovesToTheRight() {
    // Columns 0, 18 and 22 of the first line, 2 and 19 of the second: A, S = 9 * 2 and so on, in
    // base 64.
    String script = "(function(){let A=a=>{q();};\nlet B=b=>{r();};let C;})();";
    var map = new SourceMap("{\"mappings\":\"AAAA,kBACA,IAEA;EAAA,iBAGA\",\"names\":[]}");

    String widened = map.widened(script, EagerFunctions.places(script)).json();

    // Columns 0, 19 and 23 of the first line, and 2 and 21 of the second.
    assertThat(widened).isEqualTo("{\"mappings\":\"AAAA,mBACA,IAEA;EAAA,mBAGA\",\"names\":[]}");
    assertThat(UserscriptBuild.with(List.of(0), "a")).isEqualTo("(a");
    assertThat(map.below(2).json()).contains("\"mappings\":\";;AAAA");
  }
}
