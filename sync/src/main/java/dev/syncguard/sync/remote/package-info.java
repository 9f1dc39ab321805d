/**
 * The one document of a reader and the way to it: {@link dev.syncguard.sync.remote.Envelope} and its wire format,
 * {@link dev.syncguard.sync.remote.FirestoreSyncBackend}, quotas and what the operator limits.
 */
@NullMarked
package dev.syncguard.sync.remote;

import org.jspecify.annotations.NullMarked;
