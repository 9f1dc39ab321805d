/** The streams of Firestore as web browsers can carry them: WebChannel, the protocol of the Firebase web SDK. */
@NullMarked
package dev.syncguard.firestore.server.webchannel;

import org.jspecify.annotations.NullMarked;
