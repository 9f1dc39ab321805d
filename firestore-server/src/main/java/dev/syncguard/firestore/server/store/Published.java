package dev.syncguard.firestore.server.store;

/**
 * What readers see from one commit to the next.
 *
 * @param lastCommit the time of the latest commit in it
 * @param horizon the oldest time that can be read
 * @param receipt when all of it is safe
 */
record Published(KeySpace.Root root, long lastCommit, long horizon, Journal.Receipt receipt) {}
