// The security rules, coloured by what they did.

import {send} from './api.js';
import {watch} from './changes.js';
import {empty, h, replace} from './dom.js';
import {count} from './format.js';

export function show(main, {firestore}) {
  const place = h('div', {class: 'rules-place'});
  let before = '';
  replace(main, h('div', {class: 'bar-top'}, h('h2', {}, 'Rules')), place);
  const stop = watch(['requests'], 2000, async () => {
    const report = await send('GET', firestore.emulator(':ruleCoverage'));
    const now = JSON.stringify(report);
    if (now === before) return;
    before = now;
    replace(place, legend(), picture(report));
  }, error => {
    before = '';
    if (error.status >= 500) replace(place, empty('The Firestore does not answer', h('p', {}, error.message)));
    else if (error.status) replace(place, empty('No rules are loaded', h('p', {}, 'Whoever reaches the port may do everything. Give the server rules, and see here which of their expressions were evaluated, and to what:'), h('pre', {class: 'code'}, './syncguard firestore --rules firestore.rules')));
  });
  return {title: 'Rules', keys: {}, close: stop};
}

function flat(reports) {
  return reports.flatMap(report => [report, ...flat(report.children ?? [])]);
}

function shade(report) {
  const values = (report.values ?? []).map(entry => entry.value);
  if (!values.length) return 'never';
  const truth = new Set(values.filter(value => value.boolValue !== undefined).map(value => value.boolValue));
  if (truth.size === 2) return 'both';
  return values.every(value => value.stringValue !== undefined) ? 'other' : 'once';
}

function words(report) {
  return (report.values ?? []).map(({value, count: times}) => `${value.boolValue ?? value.stringValue ?? `error: ${value.undefined?.causeMessage ?? ''}`} ×${times}`).join(', ') || 'never evaluated';
}

function picture(report) {
  const source = report.rules.files[0].content;
  const roots = report.report ?? [];
  const all = flat(roots);
  const evaluated = all.filter(entry => entry.values?.length).length;
  let at = 0;
  const text = end => {
    const piece = source.slice(at, Math.max(at, end));
    at = Math.max(at, end);
    return piece;
  };
  const span = entry => {
    const lead = text(entry.sourcePosition.currentOffset);
    const inner = (entry.children ?? []).map(span);
    const rest = text(entry.sourcePosition.endOffset);
    return [lead, h('span', {class: `expr ${shade(entry)}`, title: words(entry)}, inner, rest)];
  };
  const body = [roots.map(span), text(source.length)];
  return [h('p', {class: 'quiet'}, `${count(evaluated, 'expression')} of ${all.length} were evaluated since these rules were loaded. Point at one to see what it came to.`),
    h('pre', {class: 'code rules', tabindex: '0'}, body),
    h('details', {}, h('summary', {}, 'As a list'), h('ul', {class: 'sentences'}, roots.map(entry => h('li', {}, h('code', {}, source.slice(entry.sourcePosition.currentOffset, entry.sourcePosition.endOffset)), ` line ${entry.sourcePosition.line}: ${words(entry)}`))))];
}

function legend() {
  return h('p', {class: 'legend'}, [['both', 'true and false'], ['once', 'always the same, or an error'], ['other', 'another value'], ['never', 'never evaluated']].map(([kind, text]) => h('span', {class: `expr ${kind}`}, text)));
}
