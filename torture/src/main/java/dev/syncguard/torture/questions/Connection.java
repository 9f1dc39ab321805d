package dev.syncguard.torture.questions;

import dev.syncguard.lock.spi.LockBackend;
import dev.syncguard.torture.proxy.Network;

/**
 * A backend that reaches its store over a network which can be disturbed.
 *
 * @param backend the backend, which whoever asks closes
 * @param network what lies between it and the store
 */
public record Connection(LockBackend backend, Network network) {}
