// Puts the page together: views, navigation, keys, and what is said when something is wrong.

import {get, link, takeToken} from './api.js';
import {follow} from './changes.js';
import {h, replace, setText} from './dom.js';
import {Firestore} from './firestore.js';
import {duration} from './format.js';
import {LiveLocks} from './live.js';

const VIEWS = [
  {name: 'locks', title: 'Locks', group: 'Locks', needs: 'store', load: () => import('./locks.js')},
  {name: 'timeline', title: 'Timeline', group: 'Locks', needs: 'store', load: () => import('./timeline.js')},
  {name: 'waits', title: 'Waits', group: 'Locks', needs: 'store', load: () => import('./waits.js')},
  {name: 'times', title: 'Times', group: 'Locks', needs: 'store', load: () => import('./times.js')},
  {name: 'data', title: 'Data', group: 'Firestore', needs: 'firestore', load: () => import('./data.js')},
  {name: 'query', title: 'Query', group: 'Firestore', needs: 'firestore', load: () => import('./query.js')},
  {name: 'requests', title: 'Requests', group: 'Firestore', needs: 'firestore', load: () => import('./requests.js')},
  {name: 'rules', title: 'Rules', group: 'Firestore', needs: 'firestore', load: () => import('./rules.js')},
  {name: 'activity', title: 'Activity', group: 'Firestore', needs: 'firestore', load: () => import('./activity.js')},
  {name: 'tools', title: 'Tools', group: 'Firestore', needs: 'firestore', load: () => import('./tools.js')},
];

const byId = id => document.getElementById(id);
const main = byId('main');
const context = {live: new LiveLocks(), about: {}};
let shown = null;
let shownName = '';
let views = [];

async function begin() {
  theme(localStorage.getItem('syncguard-theme') ?? 'auto');
  byId('theme').addEventListener('click', nextTheme);
  byId('help-button').addEventListener('click', help);
  byId('skip').addEventListener('click', event => { event.preventDefault(); main.focus(); });
  document.addEventListener('keydown', key);
  link.addEventListener('away', () => connection('away'));
  link.addEventListener('here', () => connection('here'));
  link.addEventListener('stranger', stranger);
  link.addEventListener('pushing', () => mode('live', 'The server tells what changes.'));
  link.addEventListener('asking', () => mode('polling', 'The page polls: it asks every second or two.'));
  addEventListener('hashchange', arrived);
  if (takeToken()) await enter();
  else stranger();
}

function arrived() {
  if (/^#token=/.test(location.hash)) {
    takeToken();
    location.reload();
  } else if (views.length) {
    route();
  }
}

async function enter() {
  for (;;) {
    try {
      context.about = await get('api/about');
      break;
    } catch (error) {
      if (error.status === 401) return;
      await new Promise(later => setTimeout(later, 1000));
    }
  }
  views = VIEWS.filter(view => context.about[view.needs]);
  byId('about').textContent = [context.about.store, context.about.firestore && `Firestore ${context.about.firestore}`].filter(Boolean).join(' · ');
  if (context.about.firestore) context.firestore = new Firestore(context.about.project);
  navigation();
  connection('here');
  void follow();
  if (context.about.store) {
    context.live.addEventListener('answer', banner);
    context.live.start();
  }
  if (views.length) route();
  else replace(main, h('section', {class: 'empty'}, h('h2', {}, 'Nothing to show'), h('p', {}, 'Start the console with --store or --firestore.')));
}

function stranger() {
  shown?.close();
  shown = null;
  views = [];
  replace(byId('nav'));
  replace(main, h('section', {class: 'empty'}, h('h2', {}, 'Open the address that was printed'), h('p', {}, 'The console lets in whoever has its token, which is part of the address that the command printed when it started. It changes with every start.'),
    h('p', {}, 'Copy the whole address from the terminal, or start the console again:'), h('pre', {class: 'code'}, './syncguard console')));
}

function navigation() {
  const groups = [...new Set(views.map(view => view.group))];
  replace(byId('nav'), groups.map(group => h('div', {class: 'group'}, groups.length > 1 ? h('h2', {}, group) : null,
    h('ul', {}, views.filter(view => view.group === group).map(view =>
      h('li', {}, h('a', {href: `#/${view.name}`, 'data-view': view.name}, view.title, h('kbd', {'aria-hidden': 'true'}, keyOf(view)))))))));
}

/** The digit of a view; the tenth has the one at the end of the row. */
function keyOf(view) {
  return String((views.indexOf(view) + 1) % 10);
}

async function route() {
  const [, name, ...parts] = location.hash.split('/').map(part => { try { return decodeURIComponent(part); } catch { return part; } });
  const view = views.find(candidate => candidate.name === name) ?? views[0];
  if (shownName !== view.name || !shown) {
    shown?.close();
    shown = null;
    shownName = view.name;
    const module = await view.load();
    if (shownName !== view.name) return;
    replace(main);
    main.className = view.name;
    shown = module.show(main, context);
    document.title = `${view.title} · SyncGuard console`;
    for (const anchor of document.querySelectorAll('#nav a')) {
      if (anchor.dataset.view === view.name) {
        anchor.setAttribute('aria-current', 'page');
        anchor.scrollIntoView({block: 'nearest', inline: 'center'});
      } else anchor.removeAttribute('aria-current');
    }
  }
  shown.route?.(view.name === name ? parts : []);
}

function key(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || byId('help').open) return;
  const writing = event.target.closest?.('input, textarea, select, [contenteditable]');
  if (writing) {
    if (event.key === 'Escape') { writing.blur(); shown?.focus?.(); }
    return;
  }
  const wanted = views.find(view => keyOf(view) === event.key);
  if (event.key === '?') help();
  else if (event.key === 't') nextTheme();
  else if (wanted) location.hash = `#/${wanted.name}`;
  else if (shown?.keys?.[event.key]) shown.keys[event.key][1]();
  else return;
  event.preventDefault();
}

function help() {
  const entry = (keys, words) => [h('dt', {}, [keys].flat().map(name => h('kbd', {}, name === ' ' ? 'Space' : name))), h('dd', {}, words)];
  const dialog = byId('help');
  replace(dialog, h('h2', {id: 'help-title'}, 'Keys'),
    h('dl', {class: 'keys'},
      views.map(view => entry(keyOf(view), view.title)),
      entry(['↑', '↓'], 'Move through a table, also j and k'), entry('Enter', 'Open what is selected'),
      Object.entries(shown?.keys ?? {}).map(([name, [words]]) => entry(name, words)),
      entry('t', 'Light, dark, or as the system says'), entry('?', 'This help')),
    h('form', {method: 'dialog'}, h('button', {autofocus: true}, 'Close')));
  dialog.showModal();
}

let how = ['polling', ''];

function mode(name, words) {
  how = [name, words];
  connection(document.body.classList.contains('away') ? 'away' : 'here');
}

function connection(state) {
  document.body.classList.toggle('away', state === 'away');
  const [name, words] = state === 'away' ? ['not connected', ''] : how;
  setText(byId('link'), name);
  byId('link').title = words;
  byId('link').className = `link ${name === 'polling' ? 'asking' : state}`;
  banner();
}

function banner() {
  const live = context.live;
  const lines = [];
  if (document.body.classList.contains('away')) lines.push(['failure', 'Console', 'It does not answer. Trying again every second; what you see is how it was.']);
  else {
    if (live.problem) lines.push(['failure', 'Store', live.problem]);
    if (live.clockOffsetMs) lines.push(['warning', 'Clock', `The store's clock is ${duration(Math.abs(live.clockOffsetMs))} ${live.clockOffsetMs > 0 ? 'ahead of' : 'behind'} this machine's. Leases follow the store's; logs will not agree.`]);
    live.findings.forEach(finding => lines.push([finding.severity, finding.subject, finding.message]));
  }
  const state = JSON.stringify(lines);
  const place = byId('banner');
  if (place.dataset.state !== state) {
    place.dataset.state = state;
    replace(place, lines.map(([severity, subject, message]) => h('p', {class: `finding ${severity}`}, h('b', {}, subject), ' ', message)));
  }
}

const THEMES = {auto: 'Auto', light: 'Light', dark: 'Dark'};

function theme(name) {
  document.documentElement.dataset.theme = name;
  byId('theme').textContent = `◐ ${THEMES[name] ?? THEMES.auto}`;
  byId('theme').setAttribute('aria-label', `Colours: ${THEMES[name] ?? THEMES.auto}`);
}

function nextTheme() {
  const names = Object.keys(THEMES);
  const next = names[(names.indexOf(document.documentElement.dataset.theme) + 1) % names.length];
  localStorage.setItem('syncguard-theme', next);
  theme(next);
}

begin();
