// Ways to start a test from a known state.

import {send} from './api.js';
import {h, replace, setText, toast} from './dom.js';
import {clock, count} from './format.js';
import {checked} from './values.js';

// Firestore takes ten megabytes at once; a character is at most three bytes.
const MOST_WRITES = 400;
const MOST_CHARACTERS = 3_000_000;
const snapshots = [];

export function show(main, {firestore}) {
  const list = h('ul', {class: 'sentences'});
  const progress = h('p', {role: 'status', class: 'quiet'});
  const file = h('input', {type: 'file', accept: 'application/json,.json', id: 'snapshot-file', onchange: read});
  const sure = h('input', {id: 'clear-sure', autocomplete: 'off', placeholder: firestore.project});
  const directory = h('input', {id: 'directory', placeholder: '/absolute/path', autocomplete: 'off'});

  replace(main, h('div', {class: 'bar-top'}, h('h2', {}, 'Tools')), progress, h('div', {class: 'cards'},
    h('section', {class: 'card'}, h('h3', {}, 'Snapshots'), h('p', {class: 'quiet'}, 'All documents as they are now, kept in this tab; restoring clears the database first. Times of creation and change are not kept.'),
      h('span', {class: 'buttons'}, h('button', {type: 'button', class: 'primary', onclick: () => take()}, 'Take a snapshot')), list,
      h('label', {for: 'snapshot-file'}, 'Restore from a file'), file),
    h('section', {class: 'card'}, h('h3', {}, 'Import and export'), h('p', {class: 'quiet'}, 'On the server’s machine, in the format of the Firebase emulators. An export becomes a new directory below one that exists; an import adds to what is there.'),
      h('label', {for: 'directory'}, 'Directory'), directory,
      h('span', {class: 'buttons'}, h('button', {type: 'button', onclick: () => exportThere()}, 'Export'), h('button', {type: 'button', onclick: () => importFrom()}, 'Import'))),
    h('section', {class: 'card'}, h('h3', {}, 'Clear'), h('p', {class: 'quiet'}, 'Deletes every document of the database. Type the project to say that you mean it.'),
      h('label', {for: 'clear-sure'}, 'Project'), sure, h('span', {class: 'buttons'}, h('button', {type: 'button', class: 'danger', onclick: () => clearAll()}, 'Delete all documents')))));
  draw();

  function draw() {
    replace(list, snapshots.map((snapshot, i) => h('li', {}, h('p', {}, h('b', {}, clock(snapshot.at)), ` ${count(snapshot.documents.length, 'document')} of ${snapshot.project}`), h('span', {class: 'buttons'},
      h('button', {type: 'button', class: 'small', onclick: () => guarded(() => restore(snapshot.documents))}, 'Restore'),
      h('button', {type: 'button', class: 'small', onclick: () => save(snapshot)}, 'Save as a file'),
      h('button', {type: 'button', class: 'small', 'aria-label': 'Forget this snapshot', onclick: () => { snapshots.splice(i, 1); draw(); }}, 'Forget')))));
  }

  async function guarded(work) {
    try {
      await work();
    } catch (error) {
      toast(error.message);
    }
    setText(progress, '');
  }

  const take = () => guarded(async () => {
    const documents = [];
    const readTime = (await send('POST', firestore.url([], ':runQuery'), {structuredQuery: {limit: 1, from: [{collectionId: 'none'}]}}))[0]?.readTime ?? '';
    await collect([], documents, readTime);
    snapshots.unshift({at: Date.now(), project: firestore.project, documents});
    toast(`${count(documents.length, 'document')} kept.`);
    draw();
  });

  async function collect(segments, into, readTime) {
    for (const id of await firestore.collections(segments, readTime)) {
      let token = '';
      do {
        const page = await firestore.documents([...segments, id], token, 300, readTime);
        for (const document of page.documents) {
          const path = firestore.segments(document.name);
          if (document.createTime) into.push({path, fields: document.fields ?? {}});
          await collect(path, into, readTime);
        }
        setText(progress, `${count(into.length, 'document')} so far…`);
        token = page.next;
      } while (token);
    }
  }

  async function restore(documents) {
    await send('DELETE', firestore.emulator(`/databases/${encodeURIComponent(firestore.database)}/documents`));
    let done = 0;
    for (const writes of batches(documents.map(({path, fields}) => ({update: {name: `${firestore.root}/${path.join('/')}`, fields}})))) {
      try {
        await send('POST', firestore.url([], ':commit'), {writes});
      } catch (error) {
        throw new Error(`The database was cleared, but only ${done} of ${count(documents.length, 'document')} could be restored: ${error.message}`);
      }
      done += writes.length;
      setText(progress, `${done} of ${documents.length}…`);
    }
    toast(`${count(documents.length, 'document')} restored.`);
  }

  function save(snapshot) {
    const address = URL.createObjectURL(new Blob([JSON.stringify(snapshot.documents, null, 1)], {type: 'application/json'}));
    const anchor = h('a', {href: address, download: `firestore-${new Date(snapshot.at).toISOString().slice(0, 19).replace(/:/g, '')}.json`});
    anchor.click();
    setTimeout(() => URL.revokeObjectURL(address), 10_000);
  }

  function read() {
    return guarded(async () => {
      const chosen = file.files[0];
      const text = await chosen.text();
      file.value = '';
      await restore(snapshotOf(text));
    });
  }

  const database = `projects/${firestore.project}/databases/${firestore.database}`;

  async function transfer(verb, body) {
    try {
      await send('POST', firestore.emulator(`:${verb}`), {database, ...body});
    } catch (error) {
      throw error.status === 404 && !error.body?.error ? new Error(`This Firestore has no ${verb}.`) : error;
    }
  }

  /** What was typed, without the separators at its end. */
  function chosenDirectory() {
    const text = directory.value.trim();
    if (!/^([/\\]|[A-Za-z]:)/.test(text)) throw new Error('Name a directory on the server’s machine by its absolute path.');
    return text.replace(/[/\\]+$/, '');
  }

  const exportThere = () => guarded(async () => {
    const name = `firestore_export_${new Date().toISOString().slice(0, 19).replace(/\D/g, '')}`;
    const place = chosenDirectory();
    await transfer('export', {export_directory: place || '/', export_name: name});
    directory.value = `${place}/${name}`;
    toast(`Exported to ${directory.value}.`);
  });

  // An export is known by a file that is named after its directory; that of the Firebase tools is one level below.
  const importFrom = () => guarded(async () => {
    const place = chosenDirectory();
    const file = (path, name) => `${path}/${name}.overall_export_metadata`;
    const candidates = place.endsWith('.overall_export_metadata') ? [place] : [file(place, place.split(/[/\\]/).at(-1)), file(`${place}/firestore_export`, 'firestore_export')];
    const reasons = [];
    for (const candidate of candidates) {
      try {
        await transfer('import', {export_directory: candidate});
        toast('Imported.');
        return;
      } catch (error) {
        if (!error.status) throw error;
        reasons.push(error.message);
      }
    }
    throw new Error(`There is no export in ${place}, or it cannot be read: ${reasons.join(' ')}`);
  });

  const clearAll = () => guarded(async () => {
    if (sure.value !== firestore.project) throw new Error('That is not the name of the project. Nothing was deleted.');
    await send('DELETE', firestore.emulator(`/databases/${encodeURIComponent(firestore.database)}/documents`));
    sure.value = '';
    toast('Deleted.');
  });

  return {title: 'Tools', keys: {s: ['Take a snapshot', () => take()]}, close: () => {}};
}

/** The documents of a snapshot, or an Error if something in it could not be written: a restore clears the database first. */
function snapshotOf(text) {
  const no = why => new Error(`That is not a snapshot of this page${why}. Nothing was changed.`);
  let documents;
  try {
    documents = JSON.parse(text);
  } catch {
    throw no('');
  }
  const isPath = path => Array.isArray(path) && path.length > 0 && path.length % 2 === 0 && path.every(id => typeof id === 'string' && id && !id.includes('/'));
  if (!Array.isArray(documents) || !documents.every(document => isPath(document?.path) && document.fields)) throw no('');
  for (const {path, fields} of documents) {
    try {
      checked({mapValue: {fields}});
    } catch (error) {
      throw no(`: in ${path.join('/')}, ${error.message}`);
    }
  }
  return documents;
}

/** Writes in as few commits as Firestore takes. */
function batches(writes) {
  const all = [];
  let room = 0;
  for (const write of writes) {
    const length = JSON.stringify(write).length;
    if (length > room || all.at(-1)?.length === MOST_WRITES) {
      all.push([]);
      room = MOST_CHARACTERS;
    }
    all.at(-1).push(write);
    room -= length;
  }
  return all;
}
