// Transactions and listeners that are open now.

import {watch} from './changes.js';
import {empty, h, redraw, replace} from './dom.js';
import {countdown} from './format.js';

export function show(main, {firestore}) {
  const place = h('div', {class: 'cards wide'});
  let seen = null;
  let at = 0;
  replace(main, h('div', {class: 'bar-top'}, h('h2', {}, 'Activity')), place);

  // Ages go on by themselves; the server tells only what is opened and closed.
  const age = millis => countdown(Math.floor((millis + performance.now() - at) / 1000) * 1000);

  function draw() {
    if (seen) redraw(place, transactionsCard(seen.transactions, age), listenersCard(seen.listeners, age));
  }

  const stop = watch(['activity'], 1000, async () => {
    seen = await firestore.inspect('activity');
    at = performance.now();
    draw();
  }, error => {
    seen = null;
    if (error.status) replace(place, empty('This Firestore does not tell', h('p', {}, error.status === 404 ? 'The embedded one does: ./syncguard firestore' : error.message)));
  });
  const ticking = setInterval(draw, 1000);
  return {title: 'Activity', keys: {}, close: () => { stop(); clearInterval(ticking); }};
}

function transactionsCard(transactions, age) {
  return h('section', {class: 'card'}, h('h3', {}, 'Open transactions'), transactions.length
    ? table(['Number', 'Kind', 'Age', 'Unused for', 'Locks'], transactions.map(open => h('tr', {class: open.waiting ? 'bad' : ''}, h('td', {}, String(open.number)), h('td', {}, open.kind, open.waiting ? ', waits' : ''),
        h('td', {}, age(open.ageMs)), h('td', {}, age(open.idleMs)), h('td', {class: 'mono'}, lines(open.locks.map(locked))))))
    : h('p', {class: 'quiet'}, 'None. A transaction that has read documents keeps them locked until it ends, and whoever writes them waits. Open transactions appear here with their documents.'));
}

function listenersCard(listeners, age) {
  return h('section', {class: 'card'}, h('h3', {}, 'Listeners'), listeners.length
    ? table(['Caller', 'Age', 'Listens to'], listeners.map(open => h('tr', {}, h('td', {}, open.caller), h('td', {}, age(open.ageMs)), h('td', {class: 'mono'}, lines(open.targets)))))
    : h('p', {class: 'quiet'}, 'Nobody listens. A client that calls onSnapshot appears here with what it listens to.'));
}

function locked(lock) {
  return lock.startsWith('/') ? `collection ${lock.slice(1) || '(any)'}` : lock;
}

function lines(texts) {
  return texts.length ? texts.map(text => h('div', {}, text)) : '–';
}

function table(heads, rows) {
  return h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': heads.join(', ')},
    h('table', {}, h('thead', {}, h('tr', {}, heads.map(text => h('th', {scope: 'col'}, text)))), h('tbody', {}, rows)));
}
