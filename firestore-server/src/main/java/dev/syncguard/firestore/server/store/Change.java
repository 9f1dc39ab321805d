package dev.syncguard.firestore.server.store;

import com.google.firestore.v1.Document;
import dev.syncguard.firestore.server.name.DocumentName;
import org.jspecify.annotations.Nullable;

/** What one commit did to one document. */
public record Change(
    DocumentName name, @Nullable Document before, @Nullable Document after) {}
