package dev.syncguard.userscript.demo;

import dev.syncguard.sync.Site;
import java.util.Map;
import java.util.stream.Collectors;

/** All devices of a reader side by side, so that one can watch a mark travel. */
record DemoPage(Site site, Map<String, String> devices) {

  String html() {
    return Resources.text("demo.html")
        .replace("{{site}}", FrontPage.name(site))
        .replace(
            "{{windows}}",
            devices.entrySet().stream()
                .map(each -> FrontPage.link(each.getValue(), each.getKey()))
                .collect(Collectors.joining(", ")))
        .replace(
            "{{devices}}",
            devices.entrySet().stream()
                .map(each -> frame(each.getKey(), each.getValue()))
                .collect(Collectors.joining("\n")));
  }

  private static String frame(String name, String address) {
    return "<section><h2>" + Text.html(name) + "</h2><iframe title=\"" + Text.html(name)
        + "\" src=\"" + Text.html(address) + "/reader\"></iframe></section>";
  }
}
