// Firestore's REST API, and the types of its values.

import {send} from './api.js';

const BASE = 'api/firestore';

export class Firestore {
  constructor(project, database = '(default)') {
    this.project = project;
    this.database = database;
  }

  get root() {
    return `projects/${this.project}/databases/${this.database}/documents`;
  }

  url(segments = [], rest = '') {
    const path = segments.map(encodeURIComponent).join('/');
    return `${BASE}/v1/projects/${encodeURIComponent(this.project)}/databases/${encodeURIComponent(this.database)}/documents${path ? `/${path}` : ''}${rest}`;
  }

  emulator(rest) {
    return `${BASE}/emulator/v1/projects/${encodeURIComponent(this.project)}${rest}`;
  }

  async collections(segments, readTime) {
    const ids = [];
    let pageToken = '';
    do {
      const answer = await send('POST', this.url(segments, ':listCollectionIds'), {pageSize: 300, pageToken, ...readTime ? {readTime} : {}});
      ids.push(...answer.collectionIds ?? []);
      pageToken = answer.nextPageToken ?? '';
    } while (pageToken);
    return ids;
  }

  /** One page of a collection; documents that only exist as parents of others have no fields and no times. */
  async documents(segments, pageToken = '', pageSize = 100, readTime = '') {
    const answer = await send('GET', this.url(segments, `?pageSize=${pageSize}&showMissing=true${pageToken ? `&pageToken=${encodeURIComponent(pageToken)}` : ''}${readTime ? `&readTime=${encodeURIComponent(readTime)}` : ''}`));
    return {documents: answer.documents ?? [], next: answer.nextPageToken ?? ''};
  }

  document(segments) {
    return send('GET', this.url(segments));
  }

  create(collection, id, fields) {
    return send('POST', this.url(collection, id ? `?documentId=${encodeURIComponent(id)}` : ''), {fields});
  }

  /** Sets fields, and removes those of the mask that are not given. */
  update(segments, names, fields) {
    const mask = names.map(name => `updateMask.fieldPaths=${encodeURIComponent(quoted(name))}`).join('&');
    return send('PATCH', this.url(segments, `?${mask}`), {fields});
  }

  remove(segments) {
    return send('DELETE', this.url(segments));
  }

  query(segments, structuredQuery) {
    return send('POST', this.url(segments, ':runQuery'), {structuredQuery, explainOptions: {analyze: true}});
  }

  index(segments, structuredQuery) {
    const parent = [this.root, ...segments].join('/');
    return send('POST', `${BASE}/inspect/index`, {parent, structuredQuery});
  }

  inspect(what) {
    return send('GET', `${BASE}/inspect/${what}`);
  }

  /** The path of a document below the database, as segments. */
  segments(name) {
    return name.slice(this.root.length + 1).split('/');
  }
}

export function quoted(name) {
  return /^[A-Za-z_]\w*$/.test(name) ? name : `\`${name.replace(/[\\`]/g, '\\$&')}\``;
}

export const TYPES = ['string', 'integer', 'double', 'boolean', 'timestamp', 'map', 'array', 'null', 'reference', 'geoPoint', 'bytes'];

export function typeOf(value) {
  return Object.keys(value)[0]?.replace(/Value$/, '') ?? 'null';
}

/** A value as one line, of which no more is made than is shown. */
export function brief(value, longest = 90) {
  const text = brevity(value, longest);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function brevity(value, room) {
  const type = typeOf(value);
  const inner = value[`${type}Value`];
  if (type === 'null') return 'null';
  if (type === 'string') return JSON.stringify(inner.length > room ? inner.slice(0, room) : inner);
  if (type === 'map') return `{${listed(Object.entries(inner.fields ?? {}), ([name, field], left) => `${name}: ${brevity(field, left)}`, room)}}`;
  if (type === 'array') return `[${listed(inner.values ?? [], brevity, room)}]`;
  if (type === 'geoPoint') return `${inner.latitude ?? 0}, ${inner.longitude ?? 0}`;
  return String(inner);
}

function listed(items, words, room) {
  let text = '';
  for (const item of items) {
    if (text.length > room) break;
    text += (text ? ', ' : '') + words(item, room - text.length);
  }
  return text;
}

/** A value as a person edits it. */
export function textOf(value) {
  const type = typeOf(value);
  const inner = value[`${type}Value`];
  if (type === 'null') return '';
  if (type === 'map') return JSON.stringify(inner.fields ?? {}, null, 2);
  if (type === 'array') return JSON.stringify(inner.values ?? [], null, 2);
  if (type === 'geoPoint') return `${inner.latitude ?? 0}, ${inner.longitude ?? 0}`;
  return String(inner);
}

/** What a person has typed as a value, or an Error that says what is wrong. */
export function parse(type, text) {
  const trimmed = text.trim();
  switch (type) {
    case 'string': return {stringValue: text};
    case 'integer':
      if (!/^-?\d+$/.test(trimmed)) throw new Error('An integer has only digits.');
      return {integerValue: trimmed};
    case 'double':
      if (trimmed === '' || (Number.isNaN(Number(trimmed)) && trimmed !== 'NaN')) throw new Error('A double is a number like 1.5, NaN or Infinity.');
      return {doubleValue: Number.isFinite(Number(trimmed)) ? Number(trimmed) : trimmed};
    case 'boolean':
      if (trimmed !== 'true' && trimmed !== 'false') throw new Error('A boolean is true or false.');
      return {booleanValue: trimmed === 'true'};
    case 'timestamp': {
      const time = new Date(trimmed);
      if (Number.isNaN(time.getTime())) throw new Error('A timestamp is like 2026-01-31T12:00:00Z.');
      return {timestampValue: /Z$/.test(trimmed) ? trimmed : time.toISOString()};
    }
    case 'null': return {nullValue: null};
    case 'reference': return {referenceValue: trimmed};
    case 'bytes': return {bytesValue: trimmed};
    case 'geoPoint': {
      const [latitude, longitude] = trimmed.split(',').map(Number);
      if (!Number.isFinite(latitude) || !Number.isFinite(longitude)) throw new Error('A geographical point is like 52.5, 13.4.');
      return {geoPointValue: {latitude, longitude}};
    }
    case 'map': return {mapValue: {fields: json(trimmed || '{}', 'A map is JSON like {"name": {"stringValue": "x"}}.')}};
    case 'array': return {arrayValue: {values: json(trimmed || '[]', 'An array is JSON like [{"integerValue": "1"}].')}};
    default: throw new Error(`There is no type ${type}.`);
  }
}

function json(text, otherwise) {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(otherwise);
  }
}
