package dev.syncguard.userscript.demo;

import dev.syncguard.sync.Site;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/** Any page of the forum that the userscript does not take over. They all look alike. */
record FrontPage(
    Site site,
    String device,
    ForumContent content,
    Optional<Member> visitor,
    Map<String, String> devices) {

  static String name(Site site) {
    return site == Site.EA_FORUM ? "EA Forum" : "LessWrong";
  }

  String html() {
    return Resources.text("page.html")
        .replace("{{site}}", name(site))
        .replace(
            "{{device}}", device.isEmpty() ? "" : ", and this window is your " + Text.html(device))
        .replace(
            "{{user}}",
            visitor.map(member -> Text.html(member.displayName())).orElse("not logged in"))
        .replace("{{devices}}", others())
        .replace("{{logins}}", logins())
        .replace("{{posts}}", posts());
  }

  private String others() {
    if (devices.isEmpty()) {
      return "";
    }
    return "Open the <a href=\"/reader\">reader</a> here, or "
        + link("/demo", "all devices on one page") + ".";
  }

  private String logins() {
    return content.members().stream()
            .limit(2)
            .map(member -> link("/login?as=" + member.username(), member.displayName()))
            .collect(Collectors.joining(" or "))
        + " or " + link("/login?as=", "nobody");
  }

  private String posts() {
    return content.newestFirst(true).stream()
        .map(post -> "<p>" + link("/posts/" + post.id(), String.valueOf(post.title()))
            + "<br><small>" + link("/users/" + post.author(), post.author()) + "</small></p>")
        .collect(Collectors.joining("\n"));
  }

  static String link(String address, String text) {
    return "<a href=\"" + Text.html(address) + "\">" + Text.html(text) + "</a>";
  }
}
