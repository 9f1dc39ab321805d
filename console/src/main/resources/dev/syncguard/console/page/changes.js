// Hears from the server what has changed, and asks for it. Whatever the server does not tell is asked for again and again;
// what it does tell is asked for rarely, too, so that a line that was lost costs a few seconds.

import {Refusal, link, open} from './api.js';

const RARELY = 15_000;
const SILENCE = 10_000;

const told = new Set();
const watchers = new Set();

/**
 * Does something now, whenever one of the topics changes, and otherwise after so many milliseconds, until it is stopped. A
 * change is shown at once; a flood of them costs at most four times what asking would.
 */
export function watch(topics, millis, work, failed = () => {}) {
  let stopped = false;
  let running = false;
  let again = false;
  let ended = 0;
  let timer;
  async function round() {
    running = true;
    again = false;
    let worked = true;
    try {
      if (!document.hidden) await work();
    } catch (error) {
      if (!(error instanceof Refusal)) console.error(error);
      if (!stopped) failed(error);
      worked = false;
    }
    running = false;
    ended = performance.now();
    schedule(again ? millis / 4 : worked && topics.every(topic => told.has(topic)) ? RARELY : millis);
  }
  function schedule(pause) {
    clearTimeout(timer);
    if (!stopped) timer = setTimeout(round, pause);
  }
  function wake() {
    if (running) again = true;
    else schedule(Math.max(0, ended + millis / 4 - performance.now()));
  }
  const watcher = {topics, wake};
  watchers.add(watcher);
  void round();
  return () => {
    stopped = true;
    clearTimeout(timer);
    watchers.delete(watcher);
  };
}

function wake(topics) {
  watchers.forEach(watcher => { if (!topics || watcher.topics.some(topic => topics.includes(topic))) watcher.wake(); });
}

function hear(line) {
  if (line.told) {
    told.clear();
    line.told.forEach(topic => told.add(topic));
    link.dispatchEvent(new Event('pushing'));
    wake();
  } else if (line.changed.length) {
    wake(line.changed);
  }
}

/** Listens until nobody is there any more. */
async function listen(stream, alive) {
  const reader = stream.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return;
    alive();
    const lines = (rest + value).split('\n');
    rest = lines.pop();
    lines.forEach(line => hear(JSON.parse(line)));
  }
}

/** Keeps a stream open while the page is visible. A browser has few connections to a server: a hidden page needs none. */
export async function follow() {
  for (;;) {
    let pause = 1000;
    if (!document.hidden) {
      const abort = new AbortController();
      const hide = () => { if (document.hidden) abort.abort(); };
      document.addEventListener('visibilitychange', hide);
      let timer;
      const alive = () => { clearTimeout(timer); timer = setTimeout(() => abort.abort(), SILENCE); };
      try {
        alive();
        await listen(await open('api/changes', abort.signal), alive);
      } catch (error) {
        if (error.status === 401) return;
        if (error.status === 503 || error.status === 404) pause = RARELY;
      }
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', hide);
      told.clear();
      link.dispatchEvent(new Event('asking'));
      if (!document.hidden) wake();
    }
    await seenOrAfter(pause);
  }
}

function seenOrAfter(millis) {
  return new Promise(resolve => {
    const go = () => {
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
      resolve();
    };
    const seen = () => { if (!document.hidden) go(); };
    const timer = setTimeout(go, millis);
    document.addEventListener('visibilitychange', seen);
  });
}

document.addEventListener('visibilitychange', () => { if (!document.hidden) wake(); });
