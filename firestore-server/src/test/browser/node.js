// The same scenarios in Node, where the SDK speaks gRPC: those that need no page.
import * as sdk from 'firebase/firestore';
import {deleteApp, initializeApp} from 'firebase/app';
import {api} from './api.js';
import {scenarios} from './scenarios.js';

const server = process.env.FIRESTORE_EMULATOR_HOST;
const project = 'demo-node';
const needsNoPage = ['set, get, update and delete', 'queries', 'listeners with local and remote changes', 'transactions', 'batches',
  'offline and back', 'bundles', 'aggregation', 'mock users and rules', 'a thousand documents in one snapshot'];
const apps = [];

sdk.setLogLevel('silent');

function client(settings = {}, emulator = undefined, database = undefined) {
  const app = initializeApp({projectId: project, apiKey: 'key', appId: 'app'}, `app${apps.length}`);
  const db = database ? sdk.initializeFirestore(app, settings, database) : sdk.initializeFirestore(app, settings);
  const [host, port] = server.split(':');
  sdk.connectFirestoreEmulator(db, host, Number(port), emulator);
  apps.push({app, db});
  return db;
}

let count = 0;
for (const [name, scenario] of Object.entries({...scenarios, ...api})) {
  if (name in api || needsNoPage.includes(name)) {
    let timer;
    const limit = new Promise((_, give) => { timer = setTimeout(() => give(new Error('took too long')), 120_000); });
    try {
      await Promise.race([scenario({sdk, client, project, server}), limit]);
    } catch (e) {
      console.error(`${name}: ${e.stack ?? e}`);
      process.exit(1);
    }
    clearTimeout(timer);
    for (const {app, db} of apps.splice(0)) {
      await sdk.terminate(db);
      await deleteApp(app);
    }
    count++;
  }
}
console.log(`${count} scenarios`);
process.exit(0);
