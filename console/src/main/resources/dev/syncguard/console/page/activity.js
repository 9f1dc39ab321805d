// Transactions and listeners that are open now.

import {every} from './api.js';
import {empty, h, replace} from './dom.js';
import {countdown} from './format.js';

export function show(main, {firestore}) {
  const place = h('div', {class: 'cards wide'});
  replace(main, h('div', {class: 'bar-top'}, h('h2', {}, 'Activity')), place);
  const table = (heads, rows) => h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': heads.join(', ')}, h('table', {}, h('thead', {}, h('tr', {}, heads.map(text => h('th', {scope: 'col'}, text)))), h('tbody', {}, rows)));
  const age = millis => countdown(Math.floor(millis / 1000) * 1000);
  const stop = every(1000, async () => {
    const {transactions, listeners} = await firestore.inspect('activity');
    replace(place,
      h('section', {class: 'card'}, h('h3', {}, 'Open transactions'), transactions.length
        ? table(['Number', 'Kind', 'Age', 'Unused for', 'Locks'], transactions.map(open => h('tr', {class: open.waiting ? 'bad' : ''}, h('td', {}, String(open.number)), h('td', {}, open.kind, open.waiting ? ', waits' : ''), h('td', {}, age(open.ageMs)), h('td', {}, age(open.idleMs)), h('td', {class: 'mono'}, open.locks.map(lock => lock.startsWith('/') ? `collection ${lock.slice(1) || '(any)'}` : lock).join(', ') || '–'))))
        : h('p', {class: 'quiet'}, 'None. A transaction that was read from and not yet committed holds its documents still; whoever writes them waits. Such ones are here, with the documents.')),
      h('section', {class: 'card'}, h('h3', {}, 'Listeners'), listeners.length
        ? table(['Caller', 'Age', 'Listens to'], listeners.map(open => h('tr', {}, h('td', {}, open.caller), h('td', {}, age(open.ageMs)), h('td', {class: 'mono'}, open.targets.join(', ') || '–'))))
        : h('p', {class: 'quiet'}, 'Nobody listens. A client that calls onSnapshot appears here with what it listens to.')));
  }, error => { if (error.status) replace(place, empty('This Firestore does not tell', h('p', {}, error.status === 404 ? 'The embedded one does: ./syncguard firestore' : error.message))); });
  return {title: 'Activity', keys: {}, close: stop};
}
