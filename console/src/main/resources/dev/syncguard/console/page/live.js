// What the store says now: asked for as changes whenever there are some, and shared by all views.

import {get} from './api.js';
import {watch} from './changes.js';

export class LiveLocks extends EventTarget {
  constructor() {
    super();
    this.byId = new Map();
    this.revision = 0;
    this.loaded = false;
    this.complete = true;
    this.findings = [];
    this.problem = null;
    this.clockOffsetMs = 0;
    this.waiters = {};
    this.holders = {};
    this.ahead = 0;
    this.names = new Map();
  }

  start() {
    return watch(['locks'], 1000, () => this.ask());
  }

  async ask() {
    const answer = await get(`api/locks?after=${this.revision}`);
    const changed = answer.all || answer.locks.length > 0 || answer.gone.length > 0;
    if (answer.all) this.byId.clear();
    answer.gone.forEach(id => this.byId.delete(id));
    answer.locks.forEach(lock => this.byId.set(lock.id, lock));
    this.revision = answer.revision;
    this.complete = answer.complete;
    this.findings = answer.findings;
    this.problem = answer.problem ?? null;
    this.clockOffsetMs = answer.clockOffsetMs ?? 0;
    this.waiters = answer.waiters;
    this.holders = answer.holders;
    // The page's clock may differ from the server's; bars follow the server's.
    this.ahead = answer.now - Date.now();
    this.loaded = answer.revision > 0;
    this.dispatchEvent(new CustomEvent('answer', {detail: {changed}}));
  }

  now() {
    return Date.now() + this.ahead;
  }

  /** How many wait for a key, or undefined if nobody can tell. */
  waitersOf(lock) {
    return lock.waiters ?? this.waiters[lock.key];
  }

  /** What the holder says about itself, or else which process has told that it holds it. */
  holderOf(lock) {
    return lock.note ?? this.holders[lock.id];
  }

  ofKey(key) {
    for (const lock of this.byId.values()) if (lock.key === key) return lock;
    return undefined;
  }

  nameOf(lock) {
    return lock.name ?? this.names.get(lock.key);
  }
}
