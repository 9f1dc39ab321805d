// What web apps do with the Firebase SDK, each as a scenario that runs in a browser and reports to the page's own server.
import * as sdk from 'firebase/firestore';
import {deleteApp, initializeApp} from 'firebase/app';
import {api} from './api.js';
import {scenarios} from './scenarios.js';

const parameters = new URLSearchParams(location.search);
const project = `p-${parameters.get('run') ?? 'tab'}`;
const [host, port] = parameters.get('server').split(':');
const apps = [];

sdk.setLogLevel(parameters.get('log') ?? 'error');

/** Returns a client of its own, connected as apps connect to an emulator. */
export function client(settings = {}, emulator = undefined, database = undefined) {
  const app = initializeApp({projectId: project, apiKey: 'key', appId: 'app'}, `app${apps.length}`);
  const forced = parameters.get('polling') === 'forced' ? {experimentalForceLongPolling: true} : {};
  const db = sdk.initializeFirestore(app, {...forced, ...settings}, ...(database ? [database] : []));
  sdk.connectFirestoreEmulator(db, host, Number(port), emulator);
  apps.push({app, db});
  return db;
}

/** Ends all clients of this page. */
export async function endClients() {
  for (const {app, db} of apps.splice(0)) {
    await sdk.terminate(db);
    await deleteApp(app);
  }
}

/** Returns the entries of the browser's list of requests that hung to hear from the server. */
const polls = () => performance.getEntriesByType('resource').map(entry => entry.name).filter(url => url.includes('RID=rpc'));

/** Opens another page in a frame and returns it. */
async function open(address) {
  const frame = document.createElement('iframe');
  frame.src = address;
  document.body.append(frame);
  await new Promise(loaded => { frame.onload = loaded; });
  return frame;
}

/** Opens the same page in a frame: another page to the SDK, with the storage of this one. */
async function tab() {
  const frame = await open(
    `${location.pathname}?${new URLSearchParams({...Object.fromEntries(parameters), run: '', tab: project})}`);
  return {...frame.contentWindow.remote, close: () => frame.remove()};
}

// What a frame lets the page around it do. Values travel as JSON: the SDK takes objects of another page for none.
window.remote = {
  open: settings => {
    const multiple = {localCache: sdk.persistentLocalCache({tabManager: sdk.persistentMultipleTabManager()})};
    const app = initializeApp({projectId: parameters.get('tab') ?? project, apiKey: 'key', appId: 'app'});
    const db = sdk.initializeFirestore(app, {
      ...(parameters.get('polling') === 'forced' ? {experimentalForceLongPolling: true} : {}),
      ...(settings === 'persistent' ? multiple : {}),
    });
    sdk.connectFirestoreEmulator(db, host, Number(port));
    window.db = db;
  },
  set: (path, json) => sdk.setDoc(sdk.doc(window.db, path), JSON.parse(json)),
  get: async path => JSON.stringify((await sdk.getDoc(sdk.doc(window.db, path))).data()),
  getCached: async path => JSON.stringify((await sdk.getDocFromCache(sdk.doc(window.db, path))).data()),
  listen: (path, told) => sdk.onSnapshot(sdk.doc(window.db, path), at => told(JSON.stringify(at.data() ?? null))),
  echo: (from, to) => sdk.onSnapshot(sdk.doc(window.db, from), at => {
    if (at.exists()) {
      sdk.setDoc(sdk.doc(window.db, to), {round: at.data().round});
    }
  }),
  offline: () => sdk.disableNetwork(window.db),
  terminate: () => sdk.terminate(window.db),
};

async function report(result) {
  const answer = await fetch('/report', {method: 'POST', body: JSON.stringify(result)});
  return answer.text();
}

async function control(order) {
  const answer = await fetch(`/control?${new URLSearchParams({run: parameters.get('run'), ...order})}`, {method: 'POST'});
  if (!answer.ok) {
    throw new Error(`control answered ${answer.status}`);
  }
  return answer.text();
}

/** Runs one scenario with a limit of time. */
async function attempt(name, scenario) {
  const environment = {sdk, client, open, tab, control, polls, project, server: `${host}:${port}`, polling: parameters.get('polling')};
  let timer;
  const limit = new Promise((_, give) => { timer = setTimeout(() => give(new Error('took too long')), 120_000); });
  try {
    await Promise.race([scenario(environment), limit]);
    await report({run: parameters.get('run'), name, failure: ''});
  } catch (e) {
    await report({run: parameters.get('run'), name, failure: String(e.stack ?? e) + (e.stack?.includes(e.message) ? '' : `\n${e.message}`)});
  } finally {
    clearTimeout(timer);
    await endClients();
    document.querySelectorAll('iframe').forEach(frame => frame.remove());
  }
}

if (!parameters.get('tab')) {
  const chosen = parameters.get('scenarios')?.split(',');
  (async () => {
    for (const [name, scenario] of Object.entries({...scenarios, ...api})) {
      if (!chosen || chosen.includes(name)) {
        await attempt(name, scenario);
      }
    }
    const next = await report({run: parameters.get('run'), name: 'the end', failure: ''});
    if (next) {
      location.href = next;
    }
  })();
}
