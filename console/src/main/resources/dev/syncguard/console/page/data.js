// Collections and documents as a tree, and one of them in full.

import {watch} from './changes.js';
import {code, copy, empty, h, redraw, replace, setText, toast} from './dom.js';
import {count} from './format.js';
import {TYPES, brief, needsEscape, parse, textOf, typeName, typeOf} from './values.js';

/** More than a page of them. */
const MANY = 200;

const href = segments => `#/data/${segments.map(encodeURIComponent).join('/')}`;

export function show(main, {firestore, about}) {
  let path = [];
  const expanded = new Set();
  const pages = new Map();
  const tree = h('ul', {class: 'tree', 'aria-label': 'Collections and documents'});
  const crumbs = h('div', {class: 'crumbs', role: 'navigation', 'aria-label': 'Path'});
  const place = h('div', {class: 'place'});
  let editing = false;
  let drawn = '';
  let shownFields = MANY;
  replace(main, h('div', {class: 'bar-top'}, h('h2', {}, 'Data'), crumbs,
      h('button', {type: 'button', onclick: () => add([])}, 'Add a collection')),
    h('div', {class: 'split'}, h('div', {class: 'pane tree-pane', tabindex: '0', role: 'region', 'aria-label': 'Tree'}, tree), place));

  async function branch(segments, ids) {
    const items = [];
    for (const id of ids) items.push(await twig([...segments, id]));
    return items;
  }

  async function twig(segments) {
    const key = JSON.stringify(segments);
    const collection = segments.length % 2 === 1;
    const open = expanded.has(key);
    let children = null;
    if (open) {
      if (collection) {
        const found = await firestore.documents(segments, '', pages.get(key) ?? 50);
        const ids = found.documents.map(document => firestore.segments(document.name).at(-1));
        children = [await branch(segments, ids), found.next ? h('li', {}, h('button', {type: 'button', class: 'link', onclick: () => { pages.set(key, (pages.get(key) ?? 50) + 200); refresh(); }}, 'More…')) : null,
          ids.length ? null : h('li', {class: 'quiet'}, 'no documents')];
      } else {
        const ids = await firestore.collections(segments);
        children = ids.length ? await branch(segments, ids) : h('li', {class: 'quiet'}, 'no collections below');
      }
    }
    const here = JSON.stringify(path) === key;
    return h('li', {class: collection ? 'collection' : 'document'},
      h('span', {class: 'twig'},
        h('button', {type: 'button', class: 'fold', 'aria-expanded': open, 'aria-label': `${open ? 'Close' : 'Open'} ${segments.at(-1)}`, onclick: () => { if (open) expanded.delete(key); else expanded.add(key); refresh(); }}, open ? '▾' : '▸'),
        h('a', {href: href(segments), 'aria-current': here ? 'true' : undefined}, segments.at(-1))),
      children ? h('ul', {}, children) : null);
  }

  async function refresh() {
    const ids = await firestore.collections([]);
    const items = await branch([], ids);
    redraw(tree, items.length ? items : h('li', {class: 'quiet'}, 'no collections'));
    if (!editing) await content(ids);
  }

  async function content(ids) {
    const at = path;
    let state;
    let build;
    if (!at.length) {
      state = JSON.stringify(ids);
      build = () => ids.length ? h('section', {class: 'card'}, h('h3', {}, `${firestore.project} / ${firestore.database}`), h('p', {class: 'quiet'}, `${count(ids.length, 'collection')}. Choose one in the tree.`)) : nothing(about);
    } else if (at.length % 2 === 1) {
      const found = await firestore.documents(at, '', 100);
      state = JSON.stringify(found);
      build = () => collectionCard(at, found);
    } else {
      const document = await firestore.document(at);
      state = JSON.stringify(document);
      build = () => documentCard(at, document);
    }
    if (at !== path || editing) return;
    const next = JSON.stringify(at) + state;
    if (drawn !== next) {
      const live = drawn.startsWith(JSON.stringify(at));
      drawn = next;
      redraw(place, build());
      place.classList.toggle('changed', live);
      if (live) setTimeout(() => place.classList.remove('changed'), 900);
    }
  }

  function collectionCard(segments, found) {
    const names = [...new Set(found.documents.flatMap(document => Object.keys(document.fields ?? {})))].slice(0, 5);
    return h('section', {class: 'card'}, h('div', {class: 'card-top'}, h('h3', {}, segments.at(-1)),
        h('button', {type: 'button', class: 'primary', onclick: () => add(segments)}, 'Add a document')),
      h('div', {class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Documents'}, h('table', {}, h('thead', {}, h('tr', {}, h('th', {scope: 'col'}, 'Document'), names.map(name => h('th', {scope: 'col'}, name)))),
        h('tbody', {}, found.documents.map(document => {
          const below = firestore.segments(document.name);
          return h('tr', {}, h('td', {}, h('a', {href: href(below)}, below.at(-1)), document.createTime ? '' : h('span', {class: 'quiet'}, ' (missing, has collections)')),
            names.map(name => h('td', {}, Object.hasOwn(document.fields ?? {}, name) ? h('span', {class: `value ${typeOf(document.fields[name])}`}, brief(document.fields[name], 40)) : '')));
        })))),
      h('p', {class: 'quiet'}, found.next ? 'The first 100 documents; ask with a query for others.' : count(found.documents.length, 'document')));
  }

  function documentCard(segments, found) {
    const fields = Object.entries(found?.fields ?? {}).sort(([a], [b]) => a < b ? -1 : 1);
    return h('section', {class: 'card'}, h('div', {class: 'card-top'}, h('h3', {}, segments.at(-1)),
        h('button', {type: 'button', onclick: () => addField(segments, found)}, 'Add a field'),
        h('button', {type: 'button', onclick: () => add(segments)}, 'Add a collection below'),
        h('button', {type: 'button', onclick: () => copy(segments.join('/'), 'Path')}, 'Copy path'),
        found ? h('button', {type: 'button', class: 'danger', onclick: () => removeDocument(segments)}, 'Delete') : null),
      found ? [fields.length ? h('table', {class: 'fields'}, h('thead', {}, h('tr', {}, ['Field', 'Value', ''].map(text => h('th', {scope: 'col'}, text || h('span', {class: 'hidden'}, 'Actions'))))),
          h('tbody', {}, fields.slice(0, shownFields).map(([name, value]) => fieldRow(segments, found, name, value)))) : h('p', {class: 'quiet'}, 'It has no fields.'),
        fields.length > shownFields ? h('button', {type: 'button', onclick: () => { shownFields += MANY; redraw(place, documentCard(segments, found)); }}, `Show more of ${(fields.length - shownFields).toLocaleString('en')} other fields`) : null,
        h('p', {class: 'quiet'}, `Created ${found.createTime}, changed ${found.updateTime}`)]
        : h('p', {}, 'There is no document of this name', h('span', {class: 'quiet'}, ', though there may be collections below it.')));
  }

  function fieldRow(segments, found, name, value) {
    return h('tr', {}, h('td', {class: 'field'}, name), h('td', {}, typed(value)),
      h('td', {class: 'actions'}, h('button', {type: 'button', class: 'small', 'aria-label': `Edit ${name}`, onclick: event => editField(event.target.closest('tr'), segments, found, name, value)}, 'Edit'),
        h('button', {type: 'button', class: 'small', 'aria-label': `Remove ${name}`, onclick: () => act(() => saver(segments, found)(name), 'Field removed.')}, 'Remove')));
  }

  /** Saves a field of a document as it was seen: what somebody else did to the field meanwhile is told instead of overwritten. */
  function saver(segments, seen) {
    return async function save(name, value) {
      try {
        return await firestore.update(segments, name, value, seen);
      } catch (error) {
        const now = error.status ? await firestore.document(segments) : seen;
        if (now?.updateTime === seen?.updateTime) throw error;
        if (!now) throw new Error('Somebody else has deleted the document. Nothing was saved.');
        const [before, after] = [seen, now].map(document => document?.fields?.[name]);
        seen = now;
        if (JSON.stringify(before) === JSON.stringify(after)) return save(name, value);
        throw new Error(`Somebody else has ${after ? `changed it to ${brief(after)}` : 'removed it'} meanwhile. Nothing was saved; do it again to overwrite that.`);
      }
    };
  }

  function form(name, value, save) {
    const escaped = needsEscape(value);
    const nameInput = h('input', {value: name, 'aria-label': 'Field', disabled: name !== '', required: true});
    const type = h('select', {'aria-label': 'Type'}, TYPES.map(text => h('option', {selected: value && typeOf(value) === text}, text)));
    const was = value ? textOf(value) : '';
    const text = h('textarea', {'aria-label': 'Value', rows: Math.min(14, Math.max(2, was.split('\n').length)), value: was, spellcheck: 'false', oninput: () => setText(wrong, '')});
    const wrong = h('span', {role: 'alert', class: 'wrong'});
    return h('form', {class: 'edit', onsubmit: async event => {
      event.preventDefault();
      try {
        await save(nameInput.value, parse(type.value, text.value, escaped));
        toast('Saved.');
        stopEditing();
      } catch (error) {
        setText(wrong, error.message);
        wrong.scrollIntoView({block: 'nearest'});
      }
    }}, nameInput, type, text, h('span', {class: 'buttons'}, h('button', {class: 'primary'}, 'Save'), h('button', {type: 'button', onclick: stopEditing}, 'Cancel')),
      escaped ? h('span', {class: 'quiet'}, 'It has carriage returns, which no text area can show: as a string, it is written in JSON.') : null, wrong);
  }

  function editField(row, segments, found, name, value) {
    editing = true;
    replace(row, h('td', {colspan: 3}, form(name, value, saver(segments, found))));
    row.querySelector('textarea').focus({preventScroll: true});
    row.scrollIntoView({block: 'nearest'});
  }

  function addField(segments, found) {
    editing = true;
    const card = place.querySelector('.card');
    const save = saver(segments, found);
    card.append(form('', null, async (name, value) => {
      if (Object.hasOwn(found?.fields ?? {}, name)) throw new Error('It has a field of that name, which can be edited.');
      await save(name, value);
    }));
    card.querySelector('form.edit input').focus();
  }

  function stopEditing() {
    editing = false;
    drawn = '';
    void refresh();
  }

  function add(segments) {
    editing = true;
    const needsCollection = segments.length % 2 === 0;
    const collection = h('input', {id: 'new-collection', required: true});
    const id = h('input', {id: 'new-id', placeholder: 'made by the server'});
    const body = h('textarea', {id: 'new-fields', rows: 5, value: '{\n  "name": {"stringValue": "…"}\n}', spellcheck: 'false'});
    const wrong = h('p', {role: 'alert', class: 'wrong'});
    replace(place, h('form', {class: 'card new', onsubmit: async event => {
      event.preventDefault();
      try {
        const {mapValue: {fields}} = parse('map', body.value);
        const made = await firestore.create(needsCollection ? [...segments, named(collection.value)] : segments, named(id.value), fields);
        editing = false;
        location.hash = href(firestore.segments(made.name));
        toast('Created.');
      } catch (error) {
        setText(wrong, error.message);
      }
    }}, h('h3', {}, needsCollection ? 'A collection begins with its first document' : `A document in ${segments.at(-1)}`),
      needsCollection ? [h('label', {for: 'new-collection'}, 'Collection'), collection] : null,
      h('label', {for: 'new-id'}, 'Document id'), id, h('label', {for: 'new-fields'}, 'Fields, as JSON with types'), body, wrong,
      h('span', {class: 'buttons'}, h('button', {class: 'primary'}, 'Create'), h('button', {type: 'button', onclick: stopEditing}, 'Cancel'))));
    place.querySelector('input').focus();
  }

  async function act(work, words) {
    try {
      await work();
      toast(words);
      await refresh();
    } catch (error) {
      toast(error.message);
    }
  }

  async function removeDocument(segments) {
    const card = place.querySelector('.card');
    editing = true;
    card.append(h('p', {class: 'finding failure confirm'}, 'Delete this document? Collections below it stay. ',
      h('button', {type: 'button', class: 'danger', onclick: () => { editing = false; void act(() => firestore.remove(segments), 'Deleted.'); location.hash = href(segments.slice(0, -1)); }}, 'Delete it'), ' ',
      h('button', {type: 'button', onclick: stopEditing}, 'Keep it')));
    card.querySelector('.confirm button').focus();
  }

  const stop = watch(['data'], 1500, refresh, error => {
    if (error.status && !editing) replace(place, empty('The Firestore does not answer', h('p', {}, error.message)));
    drawn = '';
  });
  return {
    title: 'Data',
    route: parts => {
      path = parts.filter(Boolean);
      shownFields = MANY;
      editing = false;
      for (let i = 1; i <= path.length; i++) expanded.add(JSON.stringify(path.slice(0, i)));
      replace(crumbs, h('a', {href: '#/data'}, firestore.project), path.map((segment, i) => [h('span', {'aria-hidden': 'true'}, ' / '), h('a', {href: href(path.slice(0, i + 1))}, segment)]));
      void refresh().catch(() => {});
    },
    keys: {
      n: ['Add a collection, or a document to the one shown', () => add(path.length % 2 ? path : path.slice(0, -1))],
      u: ['Go up', () => { location.hash = href(path.slice(0, -1)); }],
    },
    close: stop,
  };
}

/** Some of many, and a button for the others: a document may have thousands of fields. */
function some(entries, draw, from = 0) {
  const rest = entries.length - from - MANY;
  return [entries.slice(from, from + MANY).map(draw), rest > 0 ? (() => {
    const more = h('button', {type: 'button', class: 'link', onclick: () => more.replaceWith(...some(entries, draw, from + MANY).flat(3).filter(Boolean))}, `Show more of ${rest.toLocaleString('en')} others`);
    return more;
  })() : null];
}

/** A value with its type. */
function typed(value) {
  const type = typeOf(value);
  return h('div', {class: 'typed'}, h('span', {class: 'type'}, typeName(value)), type === 'map' || type === 'array' ? nested(value) : h('span', {class: `value ${type}`}, brief(value, 2000)));
}

/** A map or an array, whose inside is made when somebody opens it. */
function nested(value) {
  const inside = h('div', {});
  const entries = () => typeOf(value) === 'map' ? Object.entries(value.mapValue.fields ?? {}) : (value.arrayValue.values ?? []).map((item, i) => [String(i), item]);
  return h('details', {class: 'nested', ontoggle: event => {
    if (event.target.open && !inside.firstChild) replace(inside, some(entries(), ([name, item]) => h('dl', {}, h('dt', {}, name), h('dd', {}, typed(item)))));
  }}, h('summary', {}, h('span', {class: 'value'}, brief(value, 70))), inside);
}

/** An id as it was typed, unless an address cannot hold it; the server judges the rest. */
function named(id) {
  if (id.includes('/') || id === '.' || id === '..') throw new Error('An id has no slash in it and is neither “.” nor “..”.');
  return id;
}

function nothing(about) {
  return empty('No documents yet', h('p', {}, 'Point a program at this server, or add a collection here.'),
    code(`export FIRESTORE_EMULATOR_HOST=${about.firestore} GCLOUD_PROJECT=${about.project}`));
}
