/** OpenTelemetry spans of locks. */
@NullMarked
package dev.syncguard.lock.opentelemetry;

import org.jspecify.annotations.NullMarked;
