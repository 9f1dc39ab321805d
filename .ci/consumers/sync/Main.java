import dev.syncguard.sync.jvm.ReaderDevice;

final class Main {
  public static void main(String[] args) {
    var rules = ReaderDevice.class.getResource("/dev/syncguard/sync/firebase/firestore.rules");
    System.out.println(rules == null ? "no security rules in the jar" : "works");
  }
}
