// The table of live locks.

import {post} from './api.js';
import {code, empty, h, replace, setText, toast} from './dom.js';
import {count, countdown, duration, fence, short} from './format.js';
import {Rows} from './rows.js';
import {LockDetail} from './lock-detail.js';

const COLUMNS = [
  {name: 'key', title: 'Key', sort: true},
  {name: 'note', title: 'Holder', sort: true},
  {name: 'fence', title: 'Fence', sort: true},
  {name: 'held', title: 'Held for', sort: true},
  {name: 'left', title: 'Remaining', sort: true},
  {name: 'waiters', title: 'Waiting', sort: true},
];

const ORDER = {
  key: lock => lock.key,
  note: (lock, live) => live.holderOf(lock) ?? '',
  fence: lock => Number(lock.fence),
  held: lock => -lock.since,
  left: lock => lock.until,
  waiters: (lock, live) => -(live.waitersOf(lock) ?? 0),
};

const still = matchMedia('(prefers-reduced-motion: reduce)');

export function show(main, context) {
  const {live} = context;
  let sort = 'left';
  let descending = false;
  let needle = '';
  let detail = null;

  const filter = h('input', {
    type: 'search', id: 'filter', placeholder: 'Filter by hash, holder or fence', 'aria-label': 'Filter locks', autocomplete: 'off', spellcheck: 'false',
    oninput: () => { needle = filter.value.trim(); arrange(); },
    onkeydown: event => { if (event.key === 'Enter') findByName(); },
  });
  const total = h('p', {class: 'total', role: 'status'});
  const nothing = h('div', {class: 'nothing'});
  const side = h('aside', {class: 'side', 'aria-label': 'The followed key', hidden: true});
  const rows = new Rows({
    label: 'Live locks', columns: COLUMNS, height: 2.75, create, update,
    identity: lock => lock.key,
    opened: lock => { location.hash = `#/locks/${lock.key}`; },
    sorted: by,
  });
  replace(main, h('div', {class: 'bar-top'}, h('h2', {}, 'Locks'), total, filter),
    h('div', {class: 'split'}, h('div', {class: 'pane'}, rows.element, nothing), side));
  rows.showSort(sort, descending);

  function create() {
    const fill = h('i', {});
    const name = h('span', {class: 'name'});
    const hash = h('code', {});
    const left = h('span', {class: 'text'});
    const columns = {
      key: h('div', {role: 'gridcell', class: 'key'}, hash, name),
      note: h('div', {role: 'gridcell', class: 'note'}),
      fence: h('div', {role: 'gridcell', class: 'fence'}),
      held: h('div', {role: 'gridcell', class: 'held'}),
      left: h('div', {role: 'gridcell', class: 'left'}, h('span', {class: 'bar', 'aria-hidden': 'true'}, fill), left),
      waiters: h('div', {role: 'gridcell', class: 'waiters'}),
    };
    return {columns, fill, hash, name, leftText: left, running: null, key: ''};
  }

  function update(cells, lock, element) {
    const now = live.now();
    const left = lock.until - now;
    const known = live.nameOf(lock);
    setText(cells.hash, short(lock.key));
    setText(cells.name, known ?? '');
    setText(cells.columns.note, live.holderOf(lock) ?? '');
    setText(cells.columns.fence, fence(lock.fence));
    setText(cells.columns.held, countdown(Math.floor((now - lock.since) / 1000) * 1000));
    setText(cells.leftText, left > 0 ? countdown(left) : 'ending');
    const waiting = live.waitersOf(lock);
    setText(cells.columns.waiters, waiting ? String(waiting) : '');
    element.classList.toggle('soon', left < 5000);
    element.classList.toggle('contended', waiting > 0);
    run(cells, lock, left);
  }

  // The compositor shrinks the bar by itself: no script runs while nothing changes.
  function run(cells, lock, left) {
    const state = `${lock.id} ${lock.until}`;
    const whole = Math.max(1000, lock.until - lock.renewed);
    const part = Math.max(0, Math.min(1, left / whole));
    if (still.matches) {
      cells.fill.style.transform = `scaleX(${part})`;
    } else if (cells.state !== state) {
      cells.state = state;
      cells.running?.cancel();
      cells.running = left > 0
        ? cells.fill.animate([{transform: `scaleX(${part})`}, {transform: 'scaleX(0)'}], {duration: left, fill: 'forwards'})
        : null;
      if (left <= 0) cells.fill.style.transform = 'scaleX(0)';
    }
  }

  function by(name) {
    descending = sort === name ? !descending : false;
    sort = name;
    rows.showSort(sort, descending);
    arrange();
  }

  function matches(lock) {
    return lock.key.startsWith(needle) || fence(lock.fence) === needle || lock.id.startsWith(needle)
      || (live.holderOf(lock) ?? '').toLowerCase().includes(needle.toLowerCase())
      || (live.nameOf(lock) ?? '').toLowerCase().includes(needle.toLowerCase());
  }

  function arrange() {
    const order = ORDER[sort];
    const found = [...live.byId.values()].filter(lock => !needle || matches(lock));
    found.sort((a, b) => {
      const one = order(a, live);
      const two = order(b, live);
      return (one < two ? -1 : one > two ? 1 : a.key < b.key ? -1 : 1) * (descending ? -1 : 1);
    });
    rows.set(found);
    const all = live.byId.size;
    setText(total, !live.loaded ? 'Looking…' : needle ? `${count(found.length, 'lock')} of ${all.toLocaleString('en')}`
      : (live.complete ? '' : 'more than ') + count(all, 'live lock'));
    rows.element.hidden = found.length === 0;
    replace(nothing, found.length || !live.loaded ? [] : needle ? noMatch() : noLocks());
  }

  function noMatch() {
    return empty('No lock matches', h('p', {}, 'Keys are shown as hashes. If you know the name of a key, press ', h('kbd', {}, 'Enter'),
      ' to look for it by its name.'), h('button', {type: 'button', onclick: findByName}, `Look for a key of that name`));
  }

  function noLocks() {
    return empty('Nobody holds a lock', h('p', {}, 'Take one in another terminal and watch it appear:'),
      code('./syncguard run hello -- sleep 30'),
      h('p', {}, 'Or in a program, on the same store:'),
      code('try (Lease lease = locks.lock("hello").acquire()) {\n  work(lease.fence());\n}'));
  }

  let questions = 0; // An answer that comes after the next question, or in another view, must not move anybody.

  async function findByName() {
    const name = filter.value;
    if (!name.trim()) return;
    const question = ++questions;
    try {
      const {key} = await post('api/hash', {name});
      live.names.set(key, name);
      if (question !== questions) return;
      if (live.ofKey(key)) {
        filter.value = needle = '';
        location.hash = `#/locks/${key}`;
      } else {
        toast('Nobody holds a key of that name now.');
      }
      arrange();
    } catch (error) {
      toast(error.message);
    }
  }

  function follow(key) {
    detail?.close();
    detail = key ? new LockDetail(side, key, context, () => { location.hash = '#/locks'; rows.element.focus(); }) : null;
    side.hidden = !key;
    if (key) rows.selected = key;
    rows.layout();
  }

  const changed = event => { if (event.detail.changed || sort === 'waiters' || sort === 'note') arrange(); else rows.refresh(); };
  live.addEventListener('answer', changed);
  const ticking = setInterval(() => rows.refresh(), 1000);
  arrange();

  return {
    title: 'Locks',
    route: parts => follow(parts[0]),
    focus: () => rows.element.focus(),
    keys: {
      '/': ['Filter', () => filter.focus()],
      s: ['Sort by the next column', () => by(COLUMNS[(COLUMNS.findIndex(column => column.name === sort) + 1) % COLUMNS.length].name)],
      d: ['Turn the order round', () => by(sort)],
      f: ['Follow the selected key', () => rows.selected && rows.opened({key: rows.selected})],
      Escape: ['Stop following, clear the filter', () => {
        if (detail) location.hash = '#/locks';
        else if (needle) { filter.value = needle = ''; arrange(); }
        rows.element.focus();
      }],
    },
    close: () => {
      questions++;
      live.removeEventListener('answer', changed);
      clearInterval(ticking);
      rows.close();
      detail?.close();
    },
  };
}
