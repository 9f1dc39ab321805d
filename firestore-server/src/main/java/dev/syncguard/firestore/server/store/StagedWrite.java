package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.write.PlannedWrite;
import org.jspecify.annotations.Nullable;

/** A write, with the document as it finds it and as it would leave it. */
public record StagedWrite(
    PlannedWrite write, @Nullable Document before, @Nullable Document after) {}
