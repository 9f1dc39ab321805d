final class Main {
  public static void main(String[] args) {
    var script = Main.class.getResource("/dev/syncguard/userscript/power-reader.user.js");
    System.out.println(script == null ? "no userscript in the jar" : "works");
  }
}
