// The latest requests, and for a denial the expressions of the rules with their values.

import {watch} from './changes.js';
import {empty, h, replace, setText} from './dom.js';
import {clock, count} from './format.js';
import {Rows} from './rows.js';

const COLUMNS = [{name: 'time', title: 'Time'}, {name: 'method', title: 'Method'}, {name: 'path', title: 'Path'}, {name: 'caller', title: 'Caller'}, {name: 'result', title: 'Result'}, {name: 'took', title: 'Took'}];

export function show(main, {firestore}) {
  const byNumber = new Map();
  let revision = 0;
  let needle = '';
  let deniedOnly = false;
  let chosen = null;
  const total = h('p', {class: 'total', role: 'status'});
  const filter = h('input', {type: 'search', 'aria-label': 'Filter requests', placeholder: 'Filter by path, method or caller', oninput: () => { needle = filter.value.trim().toLowerCase(); arrange(); }});
  const only = h('button', {type: 'button', 'aria-pressed': false, onclick: () => { deniedOnly = !deniedOnly; only.setAttribute('aria-pressed', deniedOnly); arrange(); }}, 'Denied only');
  const nothing = h('div', {class: 'nothing'});
  const side = h('aside', {class: 'side', 'aria-label': 'The chosen request', hidden: true});
  const rows = new Rows({label: 'Requests', columns: COLUMNS, height: 2.3, identity: request => request.number, opened: open,
    create: () => ({columns: Object.fromEntries(COLUMNS.map(({name}) => [name, h('div', {role: 'gridcell', class: name})]))}),
    update: ({columns}, request, element) => {
      setText(columns.time, clock(request.at));
      setText(columns.method, request.method);
      setText(columns.path, request.path);
      setText(columns.caller, request.caller);
      setText(columns.result, result(request));
      setText(columns.took, request.millis === undefined ? 'open' : `${request.millis < 10 ? request.millis.toFixed(1) : Math.round(request.millis)} ms`);
      element.classList.toggle('denied', request.denied);
      element.classList.toggle('failed', !request.denied && !/^(2\d\d|OK|ended|)$/.test(request.status));
    }});
  replace(main, h('div', {class: 'bar-top'}, h('h2', {}, 'Requests'), total, only, filter),
    h('div', {class: 'split'}, h('div', {class: 'pane'}, rows.element, nothing), side));

  function arrange() {
    const all = [...byNumber.values()];
    const found = all.filter(request => (!deniedOnly || request.denied) && (!needle || `${request.method} ${request.path} ${request.caller} ${request.status}`.toLowerCase().includes(needle))).reverse();
    rows.set(found);
    rows.element.hidden = !found.length;
    setText(total, `${count(found.length, 'request')}${all.length >= 1000 ? ', the latest thousand' : ''}`);
    replace(nothing, found.length ? [] : all.length ? empty('No request matches') : empty('No requests yet', h('p', {}, 'Every request that a program makes to this Firestore appears here, with who made it, how long it took, and why rules denied it. The console’s own are left out.')));
  }

  function open(request) {
    chosen = request;
    side.hidden = false;
    replace(side, h('div', {class: 'side-top'}, h('h3', {}, request.method), h('button', {type: 'button', class: 'plain', 'aria-label': 'Close', onclick: close}, '✕')),
      h('dl', {class: 'facts'}, [['Path', request.path], ['Database', request.database], ['Caller', request.caller], ['Result', result(request)], ['At', clock(request.at)], ['Why', request.message]]
        .filter(([, text]) => text).map(([term, text]) => [h('dt', {}, term), h('dd', {}, text)])),
      request.steps ? [h('h4', {}, 'What the rules came to'), h('ol', {class: 'steps'}, request.steps.map(step => h('li', {class: `level${Math.min(step.level, 6)} ${step.value === 'true' ? 'yes' : step.value === 'false' ? 'no' : /^error/.test(step.value) ? 'error' : ''}`},
        h('span', {class: 'quiet'}, `L${step.line}:${step.column} `), h('code', {}, step.expression), h('b', {}, ` = ${step.value}`))))]
        : request.denied ? h('p', {class: 'quiet'}, 'No rules were involved: only the administrator may do this.') : null);
    rows.layout();
  }

  function close() {
    chosen = null;
    side.hidden = true;
    rows.layout();
    rows.element.focus();
  }

  const stop = watch(['requests'], 1000, async () => {
    let answer = await firestore.inspect(`requests?after=${revision}`);
    if (answer.revision < revision) { // A server that was started anew counts from one.
      revision = 0;
      answer = await firestore.inspect('requests?after=0');
    }
    if (!revision) byNumber.clear();
    revision = answer.revision;
    answer.requests.forEach(request => byNumber.set(request.number, request));
    const numbers = [...byNumber.keys()];
    numbers.slice(0, Math.max(0, numbers.length - 1000)).forEach(number => byNumber.delete(number));
    if (answer.requests.length || !numbers.length) arrange();
    if (chosen && byNumber.get(chosen.number) !== chosen && byNumber.has(chosen.number)) open(byNumber.get(chosen.number));
  }, error => {
    revision = 0;
    if (error.status === 404) replace(nothing, empty('This Firestore does not tell its requests', h('p', {}, 'The embedded one does: ./syncguard firestore')));
    else if (error.status) replace(nothing, empty('The Firestore does not answer', h('p', {}, error.message)));
    if (!byNumber.size) rows.element.hidden = true;
  });
  rows.element.hidden = true;
  return {
    title: 'Requests', focus: () => rows.element.focus(),
    keys: {'/': ['Filter', () => filter.focus()], d: ['Denied only, or all', () => only.click()], Escape: ['Close the request', close]},
    close: () => { stop(); rows.close(); },
  };
}

function result(request) {
  return request.denied ? 'denied' : request.status === 'OK' || /^2/.test(request.status) ? 'allowed' : request.status || 'open';
}
