// Reads, writes, transactions, queries and listeners of the Node client, over gRPC or, with "rest", over REST.
'use strict';

const assert = require('node:assert/strict');
const {Firestore, FieldValue, Timestamp} = require('@google-cloud/firestore');

const {OAuth2Client} = require('google-auth-library');

// Over REST the client looks for credentials even with an emulator: it gets the emulator's administrator.
const owner = new OAuth2Client();
owner.setCredentials({access_token: 'owner', expiry_date: Date.now() + 3600000});

const preferRest = process.argv[2] === 'rest';
const firestore = preferRest
  ? new Firestore({projectId: 'demo-rest', preferRest, authClient: owner})
  : new Firestore({projectId: 'demo-grpc'});

const cases = {
  async 'a document comes back as it was written'() {
    const when = Timestamp.fromMillis(1234567890123);
    const value = {text: 'é😀', number: 7, fraction: 0.5, flag: true, nothing: null, when, list: [1, 'a'], map: {x: {y: 1}}};
    await firestore.doc('node/a').set(value);
    const read = await firestore.doc('node/a').get();
    assert.deepEqual(read.data(), value);
    assert.ok(read.updateTime.toMillis() > 0);
  },

  async 'a merge keeps what it does not name, and transforms apply'() {
    const doc = firestore.doc('node/b');
    await doc.set({a: 1, keep: 'x', tags: ['p']});
    await doc.set({a: FieldValue.increment(2), tags: FieldValue.arrayUnion('q')}, {merge: true});
    assert.deepEqual((await doc.get()).data(), {a: 3, keep: 'x', tags: ['p', 'q']});
  },

  async 'creating twice and updating nothing fail with their codes'() {
    await firestore.doc('node/c').create({});
    await assert.rejects(firestore.doc('node/c').create({}), {code: 6});
    await assert.rejects(firestore.doc('node/missing').update({a: 1}), {code: 5});
  },

  async 'a query filters, orders, limits and counts'() {
    const batch = firestore.batch();
    for (let i = 0; i < 10; i++) {
      batch.set(firestore.doc(`numbers/${i}`), {i, even: i % 2 === 0});
    }
    await batch.commit();
    const evens = firestore.collection('numbers').where('even', '==', true);
    const top = await evens.orderBy('i', 'desc').limit(2).get();
    assert.deepEqual(top.docs.map(doc => doc.id), ['8', '6']);
    assert.equal((await evens.count().get()).data().count, 5);
    const next = await firestore.collection('numbers').orderBy('i').startAfter(top.docs[1]).get();
    assert.deepEqual(next.docs.map(doc => doc.id), ['7', '8', '9']);
  },

  async 'contended transactions lose no update'() {
    const counter = firestore.doc('node/counter');
    await counter.set({n: 0});
    const add = () =>
      firestore.runTransaction(
        async transaction => {
          const n = (await transaction.get(counter)).get('n');
          transaction.update(counter, {n: n + 1});
        },
        {maxAttempts: 50},
      );
    await Promise.all(Array.from({length: 5}, add));
    assert.equal((await counter.get()).get('n'), 5);
  },

  async 'collections and documents are listed'() {
    await firestore.doc('parents/missing/children/x').set({});
    const documents = await firestore.collection('parents').listDocuments();
    assert.deepEqual(documents.map(doc => doc.id), ['missing']);
    const collections = await firestore.doc('parents/missing').listCollections();
    assert.deepEqual(collections.map(collection => collection.id), ['children']);
  },
};

// Listeners need a stream, which REST does not have.
if (!preferRest) {
  cases['a listener sees what is there and what changes'] = () =>
    new Promise((resolve, reject) => {
      const seen = [];
      const stop = firestore.collection('watched').onSnapshot(snapshot => {
        seen.push(snapshot.docs.map(doc => doc.get('v')));
        if (seen.length === 1) {
          firestore.doc('watched/a').set({v: 1}).catch(reject);
        } else if (seen.length === 2) {
          firestore.doc('watched/a').delete().catch(reject);
        } else {
          stop();
          try {
            assert.deepEqual(seen, [[], [1], []]);
            resolve();
          } catch (e) {
            reject(e);
          }
        }
      }, reject);
    });
}

(async () => {
  for (const [name, run] of Object.entries(cases)) {
    await run();
    console.log(`ok ${name}`);
  }
  await firestore.terminate();
  console.log('all ok');
})().catch(error => {
  console.error(error);
  process.exit(1);
});
