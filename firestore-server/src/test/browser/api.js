// The public functions of the Firestore SDK, one by one, as its manual describes them.
import * as lite from 'firebase/firestore/lite';
import {equal, fails, ids, watch, writeElsewhere} from './scenarios.js';

/** Writes numbered documents and returns their collection. */
async function numbers({sdk}, db, name, count, fields = i => ({n: i})) {
  const items = sdk.collection(db, `open/${name}/items`);
  const batch = sdk.writeBatch(db);
  for (let i = 0; i < count; i++) {
    batch.set(sdk.doc(items, `d${i}`), fields(i));
  }
  await batch.commit();
  return items;
}

export const api = {
  async 'addDoc makes ids of 20 letters and digits'({sdk, client}) {
    const items = sdk.collection(client(), 'open/added/items');
    const added = await Promise.all([1, 2, 3].map(n => sdk.addDoc(items, {n})));
    equal(added.every(one => /^[A-Za-z0-9]{20}$/.test(one.id)), true, 'ids');
    equal((await sdk.getDocsFromServer(items)).size, 3);
  },

  async 'setDoc with merge and mergeFields keeps the rest'({sdk, client}) {
    const document = sdk.doc(client(), 'open/merged');
    await sdk.setDoc(document, {a: {b: 1, c: 2}, d: 3});
    await sdk.setDoc(document, {a: {b: 9}, e: 4}, {merge: true});
    await sdk.setDoc(document, {a: {c: 8}, d: 0, e: 5}, {mergeFields: ['a.c', new sdk.FieldPath('e')]});
    equal((await sdk.getDocFromServer(document)).data(), {a: {b: 9, c: 8}, d: 3, e: 5});
  },

  async 'updateDoc with paths, dots in names and deleteField'({sdk, client}) {
    const document = sdk.doc(client(), 'open/updated');
    await sdk.setDoc(document, {'a.b': 1, a: {b: 2, c: [1, 2, 2]}, 'x y`\\': 0});
    await sdk.updateDoc(document, 'a.b', 3, new sdk.FieldPath('a.b'), 4, 'a.c', sdk.arrayRemove(2));
    await sdk.updateDoc(document, new sdk.FieldPath('x y`\\'), sdk.deleteField());
    const data = (await sdk.getDocFromServer(document)).data();
    equal([Object.keys(data).sort(), data.a.b, data.a.c, data['a.b']], [['a', 'a.b'], 3, [1], 4]);
  },

  async 'server timestamps and increments before and after the server'(environment) {
    const {sdk, client} = environment;
    const db = client();
    const document = sdk.doc(db, 'open/estimated');
    await sdk.setDoc(document, {n: 1.5});
    const seen = watch(environment, document, {includeMetadataChanges: true});
    await seen.until(at => !at.metadata.fromCache);
    const written = sdk.updateDoc(document, {n: sdk.increment(1), at: sdk.serverTimestamp()});
    const local = await seen.until(at => at.metadata.hasPendingWrites);
    equal([local.data().n, local.data().at, local.data({serverTimestamps: 'estimate'}).at instanceof sdk.Timestamp],
      [2.5, null, true], 'before');
    await written;
    const after = await seen.until(at => at.data()?.at && !at.metadata.hasPendingWrites);
    equal([after.data().n, after.data().at.nanoseconds % 1000], [2.5, 0], 'after, in microseconds');
    seen.stop();
  },

  async 'converters'({sdk, client}) {
    class City {
      constructor(name) { this.name = name; }
    }
    const converter = {toFirestore: city => ({name: city.name}), fromFirestore: at => new City(at.data().name)};
    const cities = sdk.collection(client(), 'open/converted/items').withConverter(converter);
    await sdk.setDoc(sdk.doc(cities, 'la'), new City('Los Angeles'));
    const read = (await sdk.getDocFromServer(sdk.doc(cities, 'la'))).data();
    equal([read instanceof City, read.name], [true, 'Los Angeles']);
    const found = await sdk.getDocsFromServer(sdk.query(cities, sdk.where('name', '==', 'Los Angeles')));
    equal(found.docs[0].data() instanceof City, true, 'in a query');
  },

  async 'every operator of where'(environment) {
    const {sdk, client} = environment;
    const items = await numbers(environment, client(), 'operators', 6, i => ({n: i, tags: [`t${i}`, 'all'], even: i % 2 === 0}));
    const found = async (...parts) => ids(await sdk.getDocsFromServer(sdk.query(items, ...parts))).join();
    equal(await found(sdk.where('n', '<', 2)), 'd0,d1');
    equal(await found(sdk.where('n', '<=', 1)), 'd0,d1');
    equal(await found(sdk.where('n', '>=', 4)), 'd4,d5');
    equal(await found(sdk.where('n', '!=', 3)), 'd0,d1,d2,d4,d5');
    equal(await found(sdk.where('n', 'not-in', [0, 1, 2])), 'd3,d4,d5');
    equal(await found(sdk.where('tags', 'array-contains-any', ['t1', 't4'])), 'd1,d4');
    equal(await found(sdk.where(sdk.documentId(), 'in', ['d2', 'd5', 'none'])), 'd2,d5');
    equal(await found(sdk.where('n', '>', 0), sdk.where('n', '<', 4), sdk.where('even', '==', true)), 'd2');
    equal(await found(sdk.and(sdk.where('even', '==', false), sdk.or(sdk.where('n', '<', 2), sdk.where('n', '>', 4)))), 'd1,d5');
  },

  async 'cursors of snapshots and of values'(environment) {
    const {sdk, client} = environment;
    const items = await numbers(environment, client(), 'cursors', 7, i => ({n: Math.floor(i / 2)}));
    const ordered = (...parts) => sdk.query(items, sdk.orderBy('n', 'desc'), ...parts);
    const pages = [];
    for (let after; ;) {
      const page = await sdk.getDocsFromServer(ordered(...(after ? [sdk.startAfter(after)] : []), sdk.limit(3)));
      if (page.empty) { break; }
      pages.push(ids(page).join());
      after = page.docs.at(-1);
    }
    equal(pages, ['d6,d5,d4', 'd3,d2,d1', 'd0']);
    equal(ids(await sdk.getDocsFromServer(ordered(sdk.startAt(2), sdk.endBefore(0)))), ['d5', 'd4', 'd3', 'd2']);
  },

  async 'a limited listener is told who comes and who goes'(environment) {
    const {sdk, client} = environment;
    const db = client();
    const items = await numbers(environment, db, 'limited', 5);
    const top = watch(environment, sdk.query(items, sdk.orderBy('n'), sdk.limit(2)));
    const last = watch(environment, sdk.query(items, sdk.orderBy('n'), sdk.limitToLast(2)));
    await top.until(at => ids(at).join() === 'd0,d1');
    await last.until(at => ids(at).join() === 'd3,d4');
    await writeElsewhere(environment, 'open/limited/items/d0');
    const moved = await top.until(at => ids(at).join() === 'd1,d2');
    equal(moved.docChanges().map(change => [change.type, change.doc.id, change.oldIndex, change.newIndex]),
      [['removed', 'd0', 0, -1], ['added', 'd2', -1, 1]]);
    await sdk.updateDoc(sdk.doc(items, 'd4'), {n: -1});
    await top.until(at => ids(at).join() === 'd4,d1');
    await last.until(at => ids(at).join() === 'd2,d3');
    top.stop();
    last.stop();
  },

  async 'listeners of a collection group'(environment) {
    const {sdk, client} = environment;
    const db = client();
    const group = sdk.query(sdk.collectionGroup(db, 'items'), sdk.where('kind', '==', 'grouped'));
    const seen = watch(environment, group);
    await seen.until(at => at.empty && !at.metadata.fromCache);
    await sdk.setDoc(sdk.doc(db, 'open/a/items/1'), {kind: 'grouped'});
    await writeElsewhere(environment, 'open/b/items/2', {kind: {stringValue: 'grouped'}});
    const both = await seen.until(at => at.size === 2);
    equal(both.docs.map(doc => doc.ref.path), ['open/a/items/1', 'open/b/items/2']);
    seen.stop();
  },

  async 'snapshots in sync, pending writes, and what equals what'(environment) {
    const {sdk, client} = environment;
    const db = client();
    const document = sdk.doc(db, 'open/synced');
    let syncs = 0;
    const stop = sdk.onSnapshotsInSync(db, () => { syncs++; });
    const seen = watch(environment, document);
    const written = sdk.setDoc(document, {n: 1});
    await sdk.waitForPendingWrites(db);
    await written;
    await seen.until(at => at.exists());
    equal(syncs > 0, true, 'told that listeners are in sync');
    equal([sdk.refEqual(document, sdk.doc(db, 'open', 'synced')),
      sdk.queryEqual(sdk.query(sdk.collection(db, 'open'), sdk.limit(1)), sdk.query(sdk.collection(db, 'open'), sdk.limit(2)))],
    [true, false]);
    stop();
    seen.stop();
  },

  async 'a cache serves what was read'({sdk, client}) {
    const db = client({localCache: sdk.memoryLocalCache({garbageCollector: sdk.memoryLruGarbageCollector()})});
    const document = sdk.doc(db, 'open/cached');
    await fails('unavailable', sdk.getDocFromCache(document));
    await sdk.setDoc(document, {n: 1});
    await sdk.getDoc(document);
    await sdk.disableNetwork(db);
    equal((await sdk.getDocFromCache(document)).data(), {n: 1});
    const offline = await sdk.getDoc(document);
    equal([offline.data(), offline.metadata.fromCache], [{n: 1}, true], 'without the server');
    await sdk.enableNetwork(db);
  },

  async 'a read-only transaction, one that gives up, and one that must be retried'({sdk, client}) {
    const db = client();
    const document = sdk.doc(db, 'open/retried');
    await sdk.setDoc(document, {n: 1});
    equal(await sdk.runTransaction(db, async transaction => (await transaction.get(document)).data().n), 1);
    const failure = await sdk.runTransaction(db, async transaction => {
      transaction.set(document, {n: 2});
      throw new Error('changed my mind');
    }).catch(e => e.message);
    equal(failure, 'changed my mind');
    let attempts = 0;
    await sdk.runTransaction(db, async transaction => {
      const n = (await transaction.get(document)).data().n;
      if (attempts++ === 0) {
        await sdk.setDoc(document, {n: 10});
      }
      transaction.update(document, {n: n + 1});
    });
    equal([attempts, (await sdk.getDocFromServer(document)).data()], [2, {n: 11}], 'nothing is lost');
  },

  async 'a document of almost a megabyte, and one that is too large'({sdk, client}) {
    const db = client();
    const document = sdk.doc(db, 'open/large');
    const text = 'é'.repeat(500_000);
    await sdk.setDoc(document, {text});
    equal((await sdk.getDocFromServer(document)).data().text === text, true, 'comes back');
    await fails('invalid-argument', sdk.setDoc(document, {text: 'x'.repeat(1_048_600)}));
    equal((await sdk.getDocFromServer(document)).data().text === text, true, 'unchanged');
  },

  async 'ids and fields of every script'({sdk, client}) {
    const db = client();
    const items = sdk.collection(db, 'open/scripts/items');
    const names = ['ä ö', '日本語', '😀', '%2F', 'a+b&c=d', "it's", '..a', '__x', '#?'];
    await Promise.all(names.map(name => sdk.setDoc(sdk.doc(items, name), {[name]: name})));
    const read = await sdk.getDocsFromServer(items);
    equal(read.docs.map(doc => doc.data()[doc.id]).sort(), [...names].sort());
    equal((await sdk.getDocFromServer(sdk.doc(items, '%2F'))).exists(), true, 'one by its id');
  },

  async 'vectors'({sdk, client}) {
    const document = sdk.doc(client(), 'open/vector');
    await sdk.setDoc(document, {v: sdk.vector([1, 2.5, -3])});
    equal((await sdk.getDocFromServer(document)).data().v.toArray(), [1, 2.5, -3]);
  },

  async 'another database of the project'({sdk, client}) {
    const [first, second] = [client(), client({}, undefined, 'second')];
    await sdk.setDoc(sdk.doc(first, 'open/which'), {database: 1});
    await sdk.setDoc(sdk.doc(second, 'open/which'), {database: 2});
    equal((await sdk.getDocFromServer(sdk.doc(first, 'open/which'))).data(), {database: 1});
    equal((await sdk.getDocFromServer(sdk.doc(second, 'open/which'))).data(), {database: 2});
  },

  async 'what the server refuses has its code'({sdk, client}) {
    const db = client();
    await fails('not-found', sdk.updateDoc(sdk.doc(db, 'open/none'), {a: 1}));
    await fails('permission-denied', sdk.deleteDoc(sdk.doc(db, 'forbidden/x')));
    await fails('invalid-argument', sdk.setDoc(sdk.doc(db, 'open/__reserved__'), {a: 1}));
    const ended = client();
    await sdk.terminate(ended);
    await fails('failed-precondition', (async () => sdk.getDoc(sdk.doc(ended, 'open/x')))());
  },

  async 'two hundred writes without waiting'({sdk, client}) {
    const db = client();
    const counter = sdk.doc(db, 'open/many-writes');
    const writes = [];
    for (let i = 0; i < 200; i++) {
      writes.push(sdk.setDoc(counter, {n: sdk.increment(1)}, {merge: true}));
    }
    await Promise.all(writes);
    equal((await sdk.getDocFromServer(counter)).data(), {n: 200}, 'each once');
  },

  async 'the lite SDK, which only asks'({client, server}) {
    const [host, port] = server.split(':');
    const db = lite.getFirestore(client().app);
    lite.connectFirestoreEmulator(db, host, Number(port), {mockUserToken: {sub: 'lite'}});
    const items = lite.collection(db, 'open/lite/items');
    await lite.setDoc(lite.doc(items, 'a'), {n: 1, text: 'é 漢字 😀', at: lite.serverTimestamp()});
    await lite.updateDoc(lite.doc(items, 'a'), {n: lite.increment(2), tags: lite.arrayUnion('x')});
    const batch = lite.writeBatch(db);
    batch.set(lite.doc(items, 'b'), {n: 7});
    batch.delete(lite.doc(items, 'c'));
    await batch.commit();
    const {n, text, at, tags} = (await lite.getDoc(lite.doc(items, 'a'))).data();
    equal([n, text, at instanceof lite.Timestamp, tags], [3, 'é 漢字 😀', true, ['x']]);
    equal(ids(await lite.getDocs(lite.query(items, lite.where('n', '>', 4)))), ['b']);
    const sums = await lite.getAggregate(items, {count: lite.count(), sum: lite.sum('n')});
    equal(sums.data(), {count: 2, sum: 10});
    await lite.runTransaction(db, async transaction => {
      const read = await transaction.get(lite.doc(items, 'b'));
      transaction.update(lite.doc(items, 'b'), {n: read.data().n + 1});
    });
    equal((await lite.getDoc(lite.doc(items, 'b'))).data(), {n: 8});
    await lite.setDoc(lite.doc(db, 'users/lite'), {secret: 1});
    await fails('permission-denied', lite.getDoc(lite.doc(db, 'users/somebody')));
    await fails('not-found', lite.updateDoc(lite.doc(items, 'none'), {a: 1}));
    await lite.terminate(db);
  },
};
