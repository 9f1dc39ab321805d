// Firestore's REST API.

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

  /** A document, or null if there is none. */
  async document(segments) {
    try {
      return await send('GET', this.url(segments));
    } catch (error) {
      if (error.status === 404) return null;
      throw error;
    }
  }

  create(collection, id, fields) {
    return send('POST', this.url(collection, id ? `?documentId=${encodeURIComponent(id)}` : ''), {fields});
  }

  /** Sets a field, or removes it if there is no value, provided that the document is still the one that was seen: null for none. */
  update(segments, name, value, seen) {
    const still = seen ? `currentDocument.updateTime=${encodeURIComponent(seen.updateTime)}` : 'currentDocument.exists=false';
    return send('PATCH', this.url(segments, `?updateMask.fieldPaths=${encodeURIComponent(quoted(name))}&${still}`), {fields: value ? {[name]: value} : {}});
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
