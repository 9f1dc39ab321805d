/** Events about what a backend does, for metrics and logs; hashes instead of names. */
@NullMarked
package dev.syncguard.lock.telemetry;

import org.jspecify.annotations.NullMarked;
