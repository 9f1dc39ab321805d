// The program that the tools run beside the emulators. With the argument "seeded" it expects what an earlier run has exported.
const assert = require('node:assert');
const admin = require('./functions/node_modules/firebase-admin');

const seeded = process.argv[2] === 'seeded';
admin.initializeApp({projectId: process.env.GCLOUD_PROJECT});
const db = admin.firestore();

async function note(id, seconds = 120) {
  for (let i = 0; i < seconds * 5; i++) {
    const found = await db.doc(`notes/${id}`).get();
    if (found.exists) {
      return found.data();
    }
    await new Promise(done => { setTimeout(done, 200); });
  }
  throw new Error(`no function has noted ${id}`);
}

/** Writes orders until all functions have noted one: the tools drop an event whose function takes more than 30 s to load. */
async function load(id) {
  for (let attempt = 1; ; attempt++) {
    const order = `${id}-loads-${attempt}`;
    await db.doc(`orders/${order}`).set({total: 0});
    try {
      await Promise.all([`first-${order}-true`, `second-${order}-true`, `author-${order}`].map(name => note(name, 45)));
      return;
    } catch (e) {
      if (attempt === 4) {
        throw e;
      }
    }
  }
}

(async () => {
  assert.equal((await db.doc('kept/x').get()).exists, seeded, 'what was imported');
  await db.doc('kept/x').set({n: 1});
  const id = seeded ? 'again' : 'once';
  await load(id);
  const order = {total: 10, at: new Date(0), list: [1, {a: 'é'}], bytes: Buffer.from([0, 255])};
  await db.doc(`orders/${id}`).set(order);
  for (const generation of ['first', 'second']) {
    const created = await note(`${generation}-${id}-true`);
    assert.equal(created.before, null);
    assert.equal(created.after.total, 10);
    assert.equal(created.after.at.toMillis(), 0);
    assert.deepEqual(created.after.list, [1, {a: 'é'}]);
    assert.deepEqual([...created.after.bytes], [0, 255]);
  }
  assert.equal((await note(`author-${id}`)).authType, 'unknown');
  await db.doc(`orders/${id}`).delete();
  for (const generation of ['first', 'second']) {
    const deleted = await note(`${generation}-${id}-false`);
    assert.equal(deleted.after, null);
    assert.equal(deleted.before.total, 10);
  }
  console.log(`functions of both generations were run ${id}`);
  process.exit(0);
})().catch(e => {
  console.error(e);
  process.exit(1);
});
