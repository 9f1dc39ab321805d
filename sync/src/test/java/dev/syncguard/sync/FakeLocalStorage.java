package dev.syncguard.sync;

import org.jspecify.annotations.NullUnmarked;

/** What all tabs of a device share at once, unless it is broken. */
@NullUnmarked
final class FakeLocalStorage implements SharedStore {
  private final World.Device device;

  FakeLocalStorage(World.Device device) {
    this.device = device;
  }

  @Override
  public String get(String key) {
    check();
    return device.shared.get(key);
  }

  @Override
  public void set(String key, String value) {
    check();
    device.shared.put(key, value);
  }

  @Override
  public void remove(String key) {
    check();
    device.shared.remove(key);
  }

  private void check() {
    if (device.sharedIsBroken) {
      throw new IllegalStateException("localStorage is not available");
    }
  }
}
