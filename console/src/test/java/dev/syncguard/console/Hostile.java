package dev.syncguard.console;

import java.util.ArrayList;
import java.util.List;

/** Texts that become code wherever a page forgets that they are texts. Each of them would set {@code window.pwned}. */
final class Hostile {

  private static final List<String> CODE = List.of(
      "<script>window.pwned=1</script>",
      "<img src=x onerror=\"window.pwned=1\">",
      "<svg onload=window.pwned=1>",
      "<svg><script>window.pwned=1</script></svg>",
      "<iframe srcdoc=\"<script>parent.pwned=1</script>\"></iframe>",
      "<body onload=window.pwned=1>",
      "<input autofocus onfocus=window.pwned=1>",
      "<details open ontoggle=window.pwned=1>",
      "<a href=\"javascript:window.pwned=1\">x</a>",
      "<math><mi xlink:href=\"javascript:window.pwned=1\">x</mi></math>",
      "<style>@import 'javascript:window.pwned=1'</style>",
      "<link rel=stylesheet href=\"javascript:window.pwned=1\">",
      "<meta http-equiv=refresh content=\"0;javascript:window.pwned=1\">",
      "<object data=\"javascript:window.pwned=1\">",
      "<form action=javascript:window.pwned=1><button>x</button></form>",
      "<template><script>window.pwned=1</script></template>",
      "javascript:window.pwned=1",
      "${window.pwned=1}",
      "{{constructor.constructor('window.pwned=1')()}}",
      "';window.pwned=1;//",
      "\"onmouseover=\"window.pwned=1",
      "`;window.pwned=1;`",
      "\\u003cscript\\u003ewindow.pwned=1\\u003c/script\\u003e",
      "&lt;script&gt;window.pwned=1&lt;/script&gt;",
      "%3Cscript%3Ewindow.pwned=1%3C/script%3E",
      "<!--<img src=\"--><img src=x onerror=window.pwned=1//\">",
      "]]><script>window.pwned=1</script>",
      "__proto__",
      "constructor",
      "\u202Etpircs<\u202C<script>window.pwned=1</script>");

  private static final List<String> AROUND = List.of(
      "%s",
      "</script>%s",
      "\">%s",
      "'>%s",
      "</title></textarea></style>%s",
      "</td></tr></table>%s",
      "<svg><foreignObject>%s",
      "<noscript><p title=\"</noscript>%s\">",
      "--><!-- %s",
      "a\tb %s",
      "<<%s>>",
      "ſ<scrıpt>%s");

  private Hostile() {}

  /** Returns some hundreds of them. */
  static List<String> texts() {
    List<String> texts = new ArrayList<>();
    for (String around : AROUND) {
      for (String code : CODE) {
        texts.add(around.replace("%s", code));
      }
    }
    return texts;
  }
}
