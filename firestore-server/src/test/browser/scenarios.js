// The scenarios by name. Each gets clients of its own and throws if something is not as an app may expect it.

export function equal(actual, expected, what) {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) {
    throw new Error(`${what ?? 'value'}: expected ${b}, but was ${a}`);
  }
}

export async function fails(code, promise) {
  const failure = await promise.then(() => undefined, e => e);
  equal(failure?.code, code, 'code of the failure');
}

/** Listens, and lets a scenario await the first snapshot that fits. */
export function watch({sdk}, target, options = {}) {
  const seen = [];
  const wanted = [];
  const look = () => wanted.filter(want => want.look());
  const stop = sdk.onSnapshot(target, options, {
    next: snapshot => { seen.push(snapshot); look(); },
    error: failure => { seen.push({failure}); look(); },
  });
  const until = fits => new Promise((found, give) => {
    const want = {look: () => {
      const hit = seen.find(fits);
      const failure = seen.find(one => one.failure)?.failure;
      if (hit) { found(hit); } else if (failure) { give(failure); }
    }};
    wanted.push(want);
    want.look();
  });
  return {seen, stop, until};
}

export const ids = snapshot => snapshot.docs.map(doc => doc.id);

/** Writes over REST, as another client would: from this page, so the browser asks for permission first. */
export async function writeElsewhere({server, project}, path, fields) {
  const url = `http://${server}/v1/projects/${project}/databases/(default)/documents/${path}`;
  const answer = await fetch(url, {
    method: fields ? 'PATCH' : 'DELETE',
    headers: {'Authorization': 'Bearer owner', 'Content-Type': 'application/json'},
    body: fields ? JSON.stringify({fields}) : undefined,
  });
  equal(answer.status, 200, 'status of a write over REST');
}

/** Returns a bundle of documents and a named query, in the format that servers make them in. */
function bundle(project, documents) {
  const root = `projects/${project}/databases/(default)`;
  const time = '2020-01-01T00:00:00.000000Z';
  const name = id => `${root}/documents/open/bundles/items/${id}`;
  const element = value => {
    const json = JSON.stringify(value);
    return new TextEncoder().encode(json).length + json;
  };
  const body = [element({namedQuery: {name: 'all', readTime: time, bundledQuery: {
    parent: `${root}/documents/open/bundles`, structuredQuery: {from: [{collectionId: 'items'}]}}}})];
  for (const [id, fields] of Object.entries(documents)) {
    body.push(element({documentMetadata: {name: name(id), readTime: time, exists: true, queries: ['all']}}));
    body.push(element({document: {name: name(id), fields, createTime: time, updateTime: time}}));
  }
  const text = body.join('');
  return element({metadata: {id: 'b', createTime: time, version: 1, totalDocuments: Object.keys(documents).length,
    totalBytes: new TextEncoder().encode(text).length}}) + text;
}

export const scenarios = {
  async 'set, get, update and delete'({sdk, client}) {
    const db = client();
    const document = sdk.doc(db, 'open/values');
    const bytes = sdk.Bytes.fromUint8Array(new Uint8Array([0, 250, 251, 255]));
    await sdk.setDoc(document, {
      text: 'é 漢字 😀 \u2028 "quoted" \\ < & +%', number: -0.5, whole: 9007199254740991, yes: true, nothing: null,
      nan: NaN, infinite: -Infinity, at: new sdk.Timestamp(1700000000, 123456000), place: new sdk.GeoPoint(1.5, -2.5),
      bytes, reference: sdk.doc(db, 'open/other'), list: [1, 'a', {b: []}], map: {'a.b': {c: 1}}, server: sdk.serverTimestamp(),
    });
    const data = (await sdk.getDocFromServer(document)).data();
    equal(data.text, 'é 漢字 😀 \u2028 "quoted" \\ < & +%');
    equal([data.number, data.whole, data.yes, data.nothing], [-0.5, 9007199254740991, true, null]);
    equal([Number.isNaN(data.nan), data.infinite === -Infinity], [true, true], 'numbers that are none');
    equal([data.at.seconds, data.at.nanoseconds, data.place.latitude], [1700000000, 123456000, 1.5]);
    equal([data.bytes.isEqual(bytes), data.reference.path, data.list], [true, 'open/other', [1, 'a', {b: []}]]);
    equal([data.map, data.server instanceof sdk.Timestamp], [{'a.b': {c: 1}}, true]);
    await sdk.updateDoc(document, {number: sdk.increment(2), list: sdk.arrayUnion('x'), nothing: sdk.deleteField()});
    const updated = (await sdk.getDocFromServer(document)).data();
    equal([updated.number, updated.list.length, 'nothing' in updated], [1.5, 4, false]);
    await fails('not-found', sdk.updateDoc(sdk.doc(db, 'open/missing'), {a: 1}));
    await sdk.deleteDoc(document);
    equal((await sdk.getDocFromServer(document)).exists(), false, 'deleted');
  },

  async 'queries'({sdk, client}) {
    const db = client();
    const items = sdk.collection(db, 'open/queries/items');
    for (let i = 0; i < 8; i++) {
      await sdk.setDoc(sdk.doc(items, `d${i}`), {n: i, even: i % 2 === 0, tags: [`t${i % 3}`]});
    }
    const found = async (...parts) => ids(await sdk.getDocsFromServer(sdk.query(items, ...parts)));
    equal(await found(sdk.where('n', '>', 2), sdk.where('even', '==', true)), ['d4', 'd6']);
    equal(await found(sdk.orderBy('n', 'desc'), sdk.limit(2)), ['d7', 'd6']);
    equal(await found(sdk.orderBy('n'), sdk.limitToLast(2)), ['d6', 'd7']);
    equal(await found(sdk.orderBy('n'), sdk.startAfter(2), sdk.endAt(4)), ['d3', 'd4']);
    equal(await found(sdk.where('n', 'in', [1, 5])), ['d1', 'd5']);
    equal(await found(sdk.where('tags', 'array-contains', 't2')), ['d2', 'd5']);
    equal(await found(sdk.or(sdk.where('n', '==', 0), sdk.where('n', '==', 7))), ['d0', 'd7']);
    equal(await found(sdk.where(sdk.documentId(), '>=', 'd6')), ['d6', 'd7']);
    const group = sdk.query(sdk.collectionGroup(db, 'items'), sdk.where('n', '==', 3));
    equal(ids(await sdk.getDocsFromServer(group)), ['d3']);
    await fails('permission-denied', sdk.getDocsFromServer(sdk.collection(db, 'forbidden')));
  },

  async 'listeners with local and remote changes'(environment) {
    const {sdk, client} = environment;
    const db = client();
    const items = sdk.collection(db, 'open/listeners/items');
    const all = watch(environment, sdk.query(items, sdk.orderBy('n')), {includeMetadataChanges: true});
    await all.until(at => !at.metadata.fromCache && at.empty);
    const written = sdk.setDoc(sdk.doc(items, 'a'), {n: 1});
    const local = await all.until(at => at.size === 1);
    equal([local.metadata.hasPendingWrites, local.docChanges()[0].type], [true, 'added'], 'first told of its own write');
    await written;
    await all.until(at => at.size === 1 && !at.metadata.hasPendingWrites && !at.metadata.fromCache);
    await writeElsewhere(environment, 'open/listeners/items/b', {n: {integerValue: '2'}});
    const remote = await all.until(at => at.size === 2);
    equal([ids(remote), remote.metadata.hasPendingWrites], [['a', 'b'], false], 'told of a write of others');
    await writeElsewhere(environment, 'open/listeners/items/a', {n: {integerValue: '3'}});
    const moved = await all.until(at => at.size === 2 && at.docs[1].id === 'a');
    equal(moved.docChanges().map(change => change.type), ['modified']);
    await writeElsewhere(environment, 'open/listeners/items/b');
    equal(ids(await all.until(at => at.size === 1 && at.docs[0].data().n === 3)), ['a']);
    const one = watch(environment, sdk.doc(items, 'missing'));
    equal((await one.until(at => !at.metadata.fromCache)).exists(), false);
    one.stop();
    all.stop();
    const refused = watch(environment, sdk.collection(db, 'forbidden'));
    await fails('permission-denied', refused.until(() => false));
  },

  async 'transactions'({sdk, client}) {
    const [one, two] = [client(), client()];
    await sdk.setDoc(sdk.doc(one, 'open/counter'), {n: 0});
    const add = db => sdk.runTransaction(db, async transaction => {
      const before = await transaction.get(sdk.doc(db, 'open/counter'));
      transaction.update(sdk.doc(db, 'open/counter'), {n: before.data().n + 1});
    }, {maxAttempts: 30});
    await Promise.all([one, two, one, two].map(add));
    equal((await sdk.getDocFromServer(sdk.doc(one, 'open/counter'))).data(), {n: 4});
    await fails('permission-denied', sdk.runTransaction(one, async transaction => transaction.get(sdk.doc(one, 'forbidden/x'))));
    const empty = sdk.runTransaction(one, async transaction => (await transaction.get(sdk.doc(one, 'open/none'))).exists());
    equal(await empty, false, 'a document that is missing');
  },

  async 'batches'({sdk, client}) {
    const db = client();
    const batch = sdk.writeBatch(db);
    for (let i = 0; i < 50; i++) {
      batch.set(sdk.doc(db, `open/batches/items/${i}`), {i});
    }
    await batch.commit();
    equal((await sdk.getDocsFromServer(sdk.collection(db, 'open/batches/items'))).size, 50);
    const half = sdk.writeBatch(db);
    half.delete(sdk.doc(db, 'open/batches/items/0'));
    half.update(sdk.doc(db, 'open/batches/items/none'), {a: 1});
    // What is sent right behind a batch that fails must be carried out all the same, and once.
    const [failed] = [half.commit(), sdk.setDoc(sdk.doc(db, 'open/batches/items/1'), {i: sdk.increment(10)}, {merge: true})];
    await fails('not-found', failed);
    await sdk.waitForPendingWrites(db);
    equal((await sdk.getDocFromServer(sdk.doc(db, 'open/batches/items/0'))).exists(), true, 'nothing of a failed batch');
    equal((await sdk.getDocFromServer(sdk.doc(db, 'open/batches/items/1'))).data(), {i: 11});
  },

  async 'offline and back'(environment) {
    const {sdk, client} = environment;
    const db = client();
    const items = sdk.collection(db, 'open/offline/items');
    await sdk.setDoc(sdk.doc(items, 'a'), {n: 1});
    const all = watch(environment, items, {includeMetadataChanges: true});
    await all.until(at => at.size === 1 && !at.metadata.fromCache);
    await sdk.disableNetwork(db);
    await all.until(at => at.metadata.fromCache);
    const pending = sdk.setDoc(sdk.doc(items, 'b'), {n: 2});
    await all.until(at => at.size === 2 && at.metadata.hasPendingWrites);
    await writeElsewhere(environment, 'open/offline/items/c', {n: {integerValue: '3'}});
    await writeElsewhere(environment, 'open/offline/items/a');
    await fails('unavailable', sdk.getDocFromServer(sdk.doc(items, 'c')));
    await sdk.enableNetwork(db);
    await pending;
    const back = await all.until(at => ids(at).join() === 'b,c' && !at.metadata.fromCache && !at.metadata.hasPendingWrites);
    equal(ids(back), ['b', 'c']);
  },

  async 'connections that break'(environment) {
    const {sdk, client, control} = environment;
    const db = client();
    const items = sdk.collection(db, 'open/breaks/items');
    const all = watch(environment, items, {includeMetadataChanges: true});
    await all.until(at => at.empty && !at.metadata.fromCache);
    for (let i = 0; i < 3; i++) {
      const written = sdk.setDoc(sdk.doc(items, `d${i}`), {n: sdk.increment(1)});
      await control({order: 'cut'});
      await written;
      await all.until(at => at.size === i + 1 && !at.metadata.hasPendingWrites);
    }
    equal((await sdk.getDocsFromServer(items)).docs.map(doc => doc.data().n), [1, 1, 1], 'each write once');
  },

  async 'persistent cache in several tabs'({tab}) {
    const [one, two] = [await tab(), await tab()];
    const told = [];
    one.open('persistent');
    two.open('persistent');
    await one.set('open/tabs', '{"by":1}');
    const heard = new Promise(done => two.listen('open/tabs', json => {
      told.push(json);
      if (json === '{"by":3}') { done(); }
    }));
    equal(JSON.parse(await two.get('open/tabs')), {by: 1});
    await one.set('open/tabs', '{"by":2}');
    await one.terminate(); // the first was the one that talked to the server for both
    one.close();
    const three = await tab();
    three.open('persistent');
    await three.set('open/tabs', '{"by":3}');
    await heard;
    await two.terminate();
    await three.offline();
    equal(JSON.parse(await three.getCached('open/tabs')), {by: 3}, 'what is left without the server');
    await three.terminate();
  },

  async 'bundles'({sdk, client, project}) {
    const db = client();
    const progress = await sdk.loadBundle(db, bundle(project, {a: {n: {integerValue: '1'}}, b: {n: {stringValue: 'é'}}}));
    equal([progress.documentsLoaded, progress.taskState], [2, 'Success']);
    const named = await sdk.namedQuery(db, 'all');
    const cached = await sdk.getDocsFromCache(named);
    equal(cached.docs.map(doc => doc.data().n), [1, 'é']);
    // The server has none of them, and the query resumes from the time of the bundle.
    equal((await sdk.getDocsFromServer(named)).size, 0);
  },

  async 'aggregation'({sdk, client}) {
    const db = client();
    const items = sdk.collection(db, 'open/aggregation/items');
    await Promise.all([1, 2, 6].map(n => sdk.addDoc(items, {n})));
    equal((await sdk.getCountFromServer(sdk.query(items, sdk.where('n', '>', 1)))).data(), {count: 2});
    const all = await sdk.getAggregateFromServer(items, {total: sdk.sum('n'), mean: sdk.average('n'), count: sdk.count()});
    equal(all.data(), {total: 9, mean: 3, count: 3});
  },

  async 'mock users and rules'(environment) {
    const {sdk, client} = environment;
    const alice = client({}, {mockUserToken: {sub: 'alice', email_verified: true}});
    const bob = client({}, {mockUserToken: {user_id: 'bob'}});
    const nobody = client();
    const owner = client({}, {mockUserToken: 'owner'});
    await sdk.setDoc(sdk.doc(alice, 'users/alice'), {secret: 1});
    equal((await sdk.getDocFromServer(sdk.doc(alice, 'users/alice'))).data(), {secret: 1});
    for (const other of [bob, nobody]) {
      await fails('permission-denied', sdk.getDocFromServer(sdk.doc(other, 'users/alice')));
      await fails('permission-denied', sdk.setDoc(sdk.doc(other, 'users/alice'), {secret: 2}));
      await fails('permission-denied', watch(environment, sdk.doc(other, 'users/alice')).until(() => false));
      await fails('permission-denied', sdk.getCountFromServer(sdk.collection(other, 'users')));
    }
    equal((await sdk.getDocsFromServer(sdk.collection(owner, 'users'))).size, 1, 'seen by the administrator');
    equal((await sdk.getDocFromServer(sdk.doc(alice, 'users/alice'))).data(), {secret: 1}, 'after all');
  },

  async 'a thousand documents in one snapshot'(environment) {
    const {sdk, client} = environment;
    const writer = client();
    for (const start of [0, 500]) {
      const batch = sdk.writeBatch(writer);
      for (let i = start; i < start + 500; i++) {
        batch.set(sdk.doc(writer, `open/thousand/items/${String(i).padStart(4, '0')}`), {i, text: `é${'x'.repeat(1500)}`});
      }
      await batch.commit();
    }
    const items = sdk.collection(client(), 'open/thousand/items');
    const all = watch(environment, items);
    const first = await all.until(at => !at.metadata.fromCache);
    equal([first.size, first.docChanges().length, all.seen.length], [1000, 1000, 1], 'the first snapshot');
    equal(first.docs.every((doc, i) => doc.data().i === i && doc.data().text.length === 1501), true, 'its documents');
  },

  async 'what is gone after hours is found without asking for all'(environment) {
    const {sdk, client, control} = environment;
    const db = client();
    const items = sdk.collection(db, 'open/bloom/items');
    const batch = sdk.writeBatch(db);
    for (let i = 0; i < 100; i++) {
      batch.set(sdk.doc(items, `é${i}`), {i});
    }
    await batch.commit();
    const mismatches = [];
    const forget = sdk._TestingHooks.onExistenceFilterMismatch(info => mismatches.push(info));
    const all = watch(environment, items, {includeMetadataChanges: true});
    await all.until(at => at.size === 100 && !at.metadata.fromCache);
    await sdk.disableNetwork(db);
    for (let i = 0; i < 30; i++) {
      await writeElsewhere(environment, `open/bloom/items/${encodeURIComponent(`é${i}`)}`);
    }
    await writeElsewhere(environment, 'open/bloom/items/new', {i: {integerValue: '100'}});
    await control({order: 'two-hours'}); // longer than the server remembers what was deleted
    await sdk.enableNetwork(db);
    await all.until(at => at.size === 71 && !at.metadata.fromCache);
    forget();
    equal(mismatches.map(info => [info.localCacheCount, info.existenceFilterCount, info.bloomFilter?.applied]),
      [[101, 71, true]], 'what the SDK says of the filter');
    equal(mismatches[0].bloomFilter.mightContain(
      `projects/${environment.project}/databases/(default)/documents/open/bloom/items/é50`), true, 'a name that is left');
  },

  async 'two pages watching each other'(environment) {
    const {sdk, client, tab} = environment;
    const db = client();
    const other = await tab();
    other.open('');
    other.echo('open/ping', 'open/pong');
    for (let round = 1; round <= 20; round++) {
      await sdk.setDoc(sdk.doc(db, 'open/ping'), {round});
      const pong = watch(environment, sdk.doc(db, 'open/pong'));
      await pong.until(at => at.data()?.round === round);
      pong.stop();
    }
    await other.terminate();
  },

  async 'the sample of the manual'({open, server}) {
    const {contentDocument: page} = await open(`/page-0.html?${server}`);
    while (page.title !== 'Los Angeles') {
      await new Promise(done => { setTimeout(done, 20); });
    }
  },

  async 'how the server was heard'({sdk, client, polls, polling}) {
    const db = client();
    await sdk.getDocFromServer(sdk.doc(db, 'open/heard'));
    equal(polls().length > 0, true, 'requests that hang are seen at all');
    const kinds = new Set(polls().map(url => new URL(url).searchParams.get('CI')));
    if (polling === 'buffered') {
      equal(kinds.has('1'), true, 'long polling after streaming was seen to be held back');
    } else if (polling === 'forced') {
      equal([...kinds], ['1'], 'long polling only');
    } else {
      equal(kinds.has('0'), true, 'streaming is tried');
    }
  },
};
