package dev.syncguard.sync.remote;

import dev.syncguard.sync.Site;
import dev.syncguard.sync.state.SyncedFields;
import org.jspecify.annotations.Nullable;

/**
 * The whole document of one node, as all devices of a user share it.
 *
 * @param lastPushedBy the device that wrote it
 * @param lastPushedAt when, as that device knew the server's time; for people only
 * @param lastPushedAtMs the same as a number, which we read but never write
 * @param expiresAt when the server may forget the document
 */
public record Envelope(
    Site site,
    String lastPushedBy,
    String lastPushedAt,
    @Nullable Long lastPushedAtMs,
    String expiresAt,
    SyncedFields fields) {}
