/** Shows people what rules did: which expressions were evaluated, and what they came to. */
@NullMarked
package dev.syncguard.firestore.server.rules.report;

import org.jspecify.annotations.NullMarked;
