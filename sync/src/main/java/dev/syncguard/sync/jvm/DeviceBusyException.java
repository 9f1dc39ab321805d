package dev.syncguard.sync.jvm;

/** Says that another program uses the device just now. */
public final class DeviceBusyException extends RuntimeException {

  private static final long serialVersionUID = 1L;

  DeviceBusyException() {
    super("This device is in use by another program; wait for it or use another device");
  }
}
