// Tests of rules as their authors write them, with Firebase's library: against the rules of the sync product, and against
// rules that ask for users, other documents and the time.
'use strict';

const assert = require('node:assert/strict');
const {readFileSync} = require('node:fs');
const {after, before, beforeEach, test} = require('node:test');
const {assertFails, assertSucceeds, initializeTestEnvironment} = require('@firebase/rules-unit-testing');
const {
  Timestamp, collection, collectionGroup, deleteDoc, doc, getCountFromServer, getDoc, getDocs, onSnapshot, orderBy,
  query, runTransaction, serverTimestamp, setDoc, setLogLevel, updateDoc, where, writeBatch,
} = require('firebase/firestore');

setLogLevel('silent'); // every denial would be a warning

const clubRules = `
  rules_version = '2';
  service cloud.firestore {
    match /databases/{database}/documents {
      function isMember() {
        return exists(/databases/$(database)/documents/members/$(request.auth.uid));
      }
      match /posts/{id} {
        allow read: if isMember() || resource.data.public == true;
        allow create: if isMember()
            && request.resource.data.author == request.auth.uid
            && request.resource.data.at == request.time;
        allow update: if resource.data.author == request.auth.uid
            && request.resource.data.diff(resource.data).affectedKeys().hasOnly(['likes']);
      }
      match /accounts/{id} {
        allow get, write: if request.auth.token.email_verified;
      }
      match /seats/{seat} {
        allow create: if getAfter(/databases/$(database)/documents/bookings/$(request.auth.uid)).data.seat == seat;
      }
      match /bookings/{uid} {
        allow create: if uid == request.auth.uid
            && existsAfter(/databases/$(database)/documents/seats/$(request.resource.data.seat));
      }
    }
  }`;

let club;
let sync;

before(async () => {
  club = await initializeTestEnvironment({projectId: 'demo-club', firestore: {rules: clubRules}});
  sync = await initializeTestEnvironment({
    projectId: 'demo-sync',
    firestore: {rules: readFileSync(process.env.SYNC_RULES, 'utf8')},
  });
});

beforeEach(async () => {
  await club.clearFirestore();
  await sync.clearFirestore();
  await club.withSecurityRulesDisabled(async admin => {
    await setDoc(doc(admin.firestore(), 'members/ann'), {});
    await setDoc(doc(admin.firestore(), 'posts/open'), {author: 'bob', public: true, likes: 0});
    await setDoc(doc(admin.firestore(), 'posts/closed'), {author: 'bob', public: false, likes: 0});
  });
});

after(async () => {
  await club.cleanup();
  await sync.cleanup();
});

const ann = () => club.authenticatedContext('ann', {email_verified: true}).firestore();
const eve = () => club.authenticatedContext('eve').firestore();
const nobody = () => club.unauthenticatedContext().firestore();

test('a document is read by whom the rules name', async () => {
  await assertSucceeds(getDoc(doc(ann(), 'posts/closed')));
  await assertFails(getDoc(doc(eve(), 'posts/closed')));
  await assertSucceeds(getDoc(doc(nobody(), 'posts/open')));
  await assertFails(getDoc(doc(nobody(), 'elsewhere/x')));
});

test('a query is allowed for what it asks, not for what it finds', async () => {
  await assertSucceeds(getDocs(collection(ann(), 'posts')));
  await assertFails(getDocs(collection(eve(), 'posts')));
  const open = db => query(collection(db, 'posts'), where('public', '==', true));
  assert.equal((await assertSucceeds(getDocs(open(eve())))).size, 1);
  assert.equal((await assertSucceeds(getCountFromServer(open(eve())))).data().count, 1);
  await assertFails(getCountFromServer(collection(eve(), 'posts')));
  await assertFails(getDocs(query(collection(eve(), 'posts'), orderBy('public'))));
  await assertFails(getDocs(collectionGroup(ann(), 'posts')));
});

test('a server timestamp is the time of the request', async () => {
  await assertSucceeds(setDoc(doc(ann(), 'posts/new'), {author: 'ann', at: serverTimestamp()}));
  await assertFails(setDoc(doc(ann(), 'posts/forged'), {author: 'ann', at: Timestamp.fromMillis(Date.now())}));
  await assertFails(setDoc(doc(eve(), 'posts/eves'), {author: 'eve', at: serverTimestamp()}));
});

test('an update is judged by what it changes', async () => {
  const bob = club.authenticatedContext('bob').firestore();
  await assertSucceeds(updateDoc(doc(bob, 'posts/open'), {likes: 1}));
  await assertFails(updateDoc(doc(bob, 'posts/open'), {author: 'eve'}));
  await assertFails(deleteDoc(doc(bob, 'posts/open')));
});

test('a batch is judged by what all of it leaves behind', async () => {
  const book = (seat, booked) => {
    const db = ann();
    return writeBatch(db).set(doc(db, `seats/${seat}`), {}).set(doc(db, 'bookings/ann'), {seat: booked}).commit();
  };
  await assertFails(setDoc(doc(ann(), 'seats/4a'), {}));
  await assertFails(book('4a', '4b'));
  await assertSucceeds(book('4a', '4a'));
});

test('a transaction reads and writes by the rules', async () => {
  const deposit = db => runTransaction(db, async transaction => {
    const account = doc(db, 'accounts/a');
    const there = await transaction.get(account);
    transaction.set(account, {balance: (there.exists() ? there.get('balance') : 0) + 1});
  });
  await assertSucceeds(deposit(ann()));
  await assertSucceeds(deposit(ann()));
  assert.equal((await getDoc(doc(ann(), 'accounts/a'))).get('balance'), 2);
  await assertFails(deposit(eve()));
});

test('a listener is ended when it loses its right', async () => {
  const lost = new Promise((resolve, reject) => {
    onSnapshot(
      collection(ann(), 'posts'),
      snapshot => {
        if (!snapshot.metadata.fromCache && snapshot.size === 2) {
          club
            .withSecurityRulesDisabled(admin => deleteDoc(doc(admin.firestore(), 'members/ann')))
            .catch(reject);
        }
      },
      resolve,
    );
  });
  assert.equal((await lost).code, 'permission-denied');
});

const node = 'pr_sync_v1/lw/nodes/pr_sync_' + 'ab'.repeat(32);

function envelope(change = {}) {
  const now = Timestamp.now();
  const field = {updatedAt: now, updatedBy: 'device:tab', clearEpoch: 0};
  return {
    schemaVersion: 1,
    site: 'lw',
    lastPushedBy: 'device:tab',
    lastPushedAt: now,
    expiresAt: Timestamp.fromMillis(Date.now() + 180 * 24 * 3600 * 1000),
    fields: {
      read: {...field, value: {someCommentId1234: 1}},
      loadFrom: {...field, version: 1, value: '2026-01-01T00:00:00.000Z'},
      authorPrefs: {...field, value: {'An Author': {v: 1, version: 1, updatedAt: now, updatedBy: 'device:tab'}}},
    },
    ...change,
  };
}

test('the state of a reader is created, read and replaced by whoever knows its name', async () => {
  const db = sync.unauthenticatedContext().firestore();
  await assertSucceeds(setDoc(doc(db, node), envelope()));
  await assertSucceeds(setDoc(doc(db, node), envelope({lastPushedBy: 'other:tab'})));
  assert.equal((await assertSucceeds(getDoc(doc(db, node)))).get('lastPushedBy'), 'other:tab');
});

test('nobody lists or deletes states, or stores something else', async () => {
  const db = sync.unauthenticatedContext().firestore();
  await assertSucceeds(setDoc(doc(db, node), envelope()));
  await assertFails(getDocs(collection(db, 'pr_sync_v1/lw/nodes')));
  await assertFails(deleteDoc(doc(db, node)));
  await assertFails(setDoc(doc(db, node), envelope({more: 1})));
  await assertFails(setDoc(doc(db, node), envelope({schemaVersion: 2})));
  await assertFails(setDoc(doc(db, node), envelope({expiresAt: Timestamp.fromMillis(Date.now() - 1000)})));
  await assertFails(setDoc(doc(db, 'pr_sync_v1/lw/nodes/short'), envelope()));
  await assertFails(setDoc(doc(db, 'pr_sync_v1/other/nodes/pr_sync_' + 'ab'.repeat(32)), envelope({site: 'other'})));
});
