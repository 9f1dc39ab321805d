// Builds a query, runs it, and says which index it needs and how it ran.

import {code, copy, empty, h, replace, setText} from './dom.js';
import {count, duration} from './format.js';
import {quoted} from './firestore.js';
import {TYPES, brief, parse, typeOf} from './values.js';

const OPERATORS = [['EQUAL', '=='], ['NOT_EQUAL', '!='], ['LESS_THAN', '<'], ['LESS_THAN_OR_EQUAL', '<='], ['GREATER_THAN', '>'], ['GREATER_THAN_OR_EQUAL', '>='],
  ['ARRAY_CONTAINS', 'array-contains'], ['IN', 'in'], ['ARRAY_CONTAINS_ANY', 'array-contains-any'], ['NOT_IN', 'not-in']];

export function show(main, {firestore}) {
  const collection = h('input', {id: 'query-collection', placeholder: 'cities, or users/ada/orders', required: true});
  const group = h('input', {type: 'checkbox', id: 'query-group'});
  const filters = h('div', {class: 'lines'});
  const orders = h('div', {class: 'lines'});
  const limit = h('input', {id: 'query-limit', type: 'number', min: 1, value: '50'});
  const wrong = h('p', {role: 'alert', class: 'wrong'});
  const results = h('div', {class: 'results', 'aria-live': 'polite'});
  const choose = (label, options) => h('select', {'aria-label': label}, options.map(([value, text]) => h('option', {value}, text)));
  const remove = () => h('button', {type: 'button', class: 'small', 'aria-label': 'Remove this line', onclick: event => event.target.closest('.line').remove()}, '✕');

  function addFilter() {
    filters.append(h('div', {class: 'line'}, h('input', {'aria-label': 'Field', placeholder: 'field', class: 'name'}), choose('Operator', OPERATORS),
      choose('Type', TYPES.map(type => [type, type])), h('input', {'aria-label': 'Value', placeholder: 'value', class: 'value-input'}), remove()));
    filters.lastElementChild.firstElementChild.focus();
  }

  function addOrder() {
    orders.append(h('div', {class: 'line'}, h('input', {'aria-label': 'Field to order by', placeholder: 'field'}), choose('Direction', [['ASCENDING', 'ascending'], ['DESCENDING', 'descending']]), remove()));
    orders.lastElementChild.firstElementChild.focus();
  }

  // A name in backquotes is one name, dots or not.
  const field = name => {
    if (!name.trim()) throw new Error('A filter or an order needs the name of a field.');
    return {fieldPath: name.startsWith('`') ? name : name.split('.').map(quoted).join('.')};
  };

  function build() {
    const segments = collection.value.trim().replace(/^\/|\/$/g, '').split('/');
    if (segments.length % 2 === 0) throw new Error('A collection has an odd number of segments, like users/ada/orders.');
    const query = {from: [{collectionId: segments.at(-1), allDescendants: group.checked}]};
    const parts = [...filters.children].map(line => {
      const [name, operator, type, value] = line.children;
      return {fieldFilter: {field: field(name.value), op: operator.value, value: parse(type.value, value.value)}};
    });
    if (parts.length === 1) [query.where] = parts;
    if (parts.length > 1) query.where = {compositeFilter: {op: 'AND', filters: parts}};
    const by = [...orders.children].map(line => ({field: field(line.children[0].value), direction: line.children[1].value}));
    if (by.length) query.orderBy = by;
    if (limit.value) query.limit = Number(limit.value);
    return {parent: segments.slice(0, -1), query};
  }

  async function run(event) {
    event?.preventDefault();
    setText(wrong, '');
    try {
      const {parent, query} = build();
      const index = await firestore.index(parent, query).catch(error => error.status === 404 || error.status === 0 ? null : Promise.reject(error));
      let answers = [];
      let failure = '';
      try {
        answers = await firestore.query(parent, query);
      } catch (error) {
        failure = error.message;
      }
      draw(answers, index, failure, query);
    } catch (error) {
      setText(wrong, error.message);
    }
  }

  function draw(answers, index, failure, query) {
    const found = answers.filter(answer => answer.document).map(answer => answer.document);
    const metrics = answers.map(answer => answer.explainMetrics).find(Boolean);
    const names = [...new Set(found.flatMap(document => Object.keys(document.fields ?? {})))].slice(0, 6);
    replace(results,
      failure ? h('p', {class: 'finding failure'}, failure) : null,
      h('div', {class: 'cards'}, indexCard(index), planCard(metrics), h('section', {class: 'card'}, h('h3', {}, 'As JSON'), code(JSON.stringify(query, null, 2)))),
      failure ? null : h('section', {class: 'card'}, h('h3', {}, count(found.length, 'document')),
        found.length ? h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Results'}, h('table', {}, h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, 'Document'), names.map(name => h('th', {scope: 'col'}, name)))),
          h('tbody', {}, found.map(document => {
            const segments = firestore.segments(document.name);
            return h('tr', {}, h('td', {}, h('a', {href: `#/data/${segments.map(encodeURIComponent).join('/')}`}, segments.join('/'))),
              names.map(name => h('td', {}, Object.hasOwn(document.fields ?? {}, name) ? h('span', {class: `value ${typeOf(document.fields[name])}`}, brief(document.fields[name], 40)) : '')));
          })))) : h('p', {class: 'quiet'}, 'No document matches.')));
  }

  replace(main, h('div', {class: 'bar-top'}, h('h2', {}, 'Query')),
    h('form', {class: 'card query-form', onsubmit: run},
      h('div', {class: 'line'}, h('label', {for: 'query-collection'}, 'Collection'), collection, h('label', {class: 'check'}, group, ' collection group')),
      filters, orders,
      h('div', {class: 'line'}, h('button', {type: 'button', onclick: addFilter}, 'Add a filter'), h('button', {type: 'button', onclick: addOrder}, 'Add an order'),
        h('label', {for: 'query-limit'}, 'Limit'), limit, h('button', {class: 'primary'}, 'Run')), wrong),
    results);
  replace(results, empty('Ask for documents', h('p', {}, 'Name a collection, add filters and orders, and run. You also see the index that production would want, to paste into firestore.indexes.json, and how the query ran.')));
  return {
    title: 'Query',
    keys: {f: ['Add a filter', addFilter], o: ['Add an order', addOrder], r: ['Run', () => run()], '/': ['Name a collection', () => collection.focus()]},
    close: () => {},
  };
}

function indexCard(index) {
  if (!index) return h('section', {class: 'card'}, h('h3', {}, 'Index'), h('p', {class: 'quiet'}, 'This Firestore does not tell which index a query needs.'));
  if (!index.missing) return h('section', {class: 'card'}, h('h3', {}, 'Index'), h('p', {}, 'Needs none beside those that exist.'));
  const marker = 'For firestore.indexes.json: ';
  const at = index.message.indexOf(marker);
  const file = at < 0 ? index.message : JSON.stringify(JSON.parse(index.message.slice(at + marker.length)), null, 2);
  return h('section', {class: 'card'}, h('h3', {}, 'Index that production would want'), code(file), h('button', {type: 'button', onclick: () => copy(file, 'Index')}, 'Copy for firestore.indexes.json'));
}

function planCard(metrics) {
  if (!metrics) return h('section', {class: 'card'}, h('h3', {}, 'Plan'), h('p', {class: 'quiet'}, 'This Firestore does not explain queries.'));
  const stats = metrics.executionStats ?? {};
  return h('section', {class: 'card'}, h('h3', {}, 'Plan that ran'),
    h('dl', {class: 'facts'}, (metrics.planSummary?.indexesUsed ?? []).map(used => [h('dt', {}, used.query_scope), h('dd', {class: 'mono'}, used.properties)]),
      h('dt', {}, 'Results'), h('dd', {}, String(stats.resultsReturned ?? 0)), h('dt', {}, 'Reads billed'), h('dd', {}, String(stats.readOperations ?? 0)),
      h('dt', {}, 'Took'), h('dd', {}, duration(parseFloat(stats.executionDuration ?? '0') * 1000))));
}
