// The last hour of each key: holders as bars, waits as thin lines, losses and hand-offs marked.

import {get} from './api.js';
import {watch} from './changes.js';
import {code, empty, h, redraw, rem, replace, s, setText} from './dom.js';
import {clock, count, duration, fence, short} from './format.js';

export const END_WORDS = {RELEASED: 'released', EXPIRED: 'expired', LOST: 'lost', FORCED: 'ended by an operator'};
const SPANS = [[60_000, '1 min'], [300_000, '5 min'], [900_000, '15 min'], [3_600_000, '1 hour']];
const HEIGHT = 26;

/** The shortest time that shows all there is, in milliseconds and in words. */
export function spanOf(histories, now) {
  const oldest = Math.min(now, ...histories.map(history => history.holds[0]?.from ?? now));
  return SPANS.find(([millis]) => now - oldest < millis) ?? SPANS.at(-1);
}

/** A picture as wide as there is room, in units of which a text has fourteen: it grows with the texts around it. */
function across(room, height, attributes, shapes) {
  const unit = rem() / 14;
  return s('svg', {class: 'strip', viewBox: `0 0 ${room / unit} ${height}`, width: room, height: height * unit, ...attributes}, shapes(room / unit));
}

/** One key's time as a picture with words. */
export function strip(history, from, to, room) {
  const lost = history.holds.filter(hold => hold.end === 'LOST' || hold.end === 'FORCED').length;
  const label = [count(history.holds.length, 'holder'), count(history.waits.length, 'wait'), lost ? count(lost, 'loss', 'losses') : ''].filter(Boolean).join(', ');
  return across(room, HEIGHT, {role: 'img', 'aria-label': label}, width => [s('line', {x1: 0, x2: width, y1: 10.5, y2: 10.5, class: 'axis'}), shapesOf(history, from, to, width)]);
}

function shapesOf(history, from, to, width) {
  const x = time => Math.round((Math.max(from, Math.min(to, time)) - from) / (to - from) * width * 10) / 10;
  const shapes = [];
  for (const wait of history.waits) {
    const end = wait.to ?? to;
    if (end < from) continue;
    shapes.push(s('line', {x1: x(wait.from), x2: Math.max(x(wait.from) + 1, x(end)), y1: HEIGHT - 4, y2: HEIGHT - 4,
      class: wait.to === undefined ? 'wait now' : wait.granted ? 'wait' : 'wait vain'},
      s('title', {}, `${wait.process} ${wait.to === undefined ? 'waits' : wait.granted ? 'waited' : 'waited in vain'}, ${duration(end - wait.from)}`)));
  }
  for (const hold of history.holds) {
    const end = hold.to ?? to;
    if (end < from) continue;
    const left = x(hold.from);
    shapes.push(s('rect', {x: left, y: 5, width: Math.max(1.5, x(end) - left), height: 11, rx: 2, class: `hold ${hold.end ?? 'open'}`},
      s('title', {}, describe(hold, to))));
    if (hold.handedOver && hold.from >= from) shapes.push(s('path', {d: `M${left - 3} 2 l6 0 l-3 4z`, class: 'handoff'}));
    if (hold.end === 'LOST' || hold.end === 'FORCED') {
      const at = x(end);
      shapes.push(s('path', {d: `M${at} 4 l4.5 6.5 l-4.5 6.5 l-4.5 -6.5z`, class: 'loss'}, s('title', {}, describe(hold, to))));
    }
  }
  return shapes;
}

function describe(hold, now) {
  return [`${clock(hold.from)}, ${duration((hold.to ?? now) - hold.from)}`, hold.fence ? `fence ${fence(hold.fence)}` : '', hold.process ?? '', hold.note ?? '',
    hold.end ? END_WORDS[hold.end] : 'holds it now', hold.handedOver ? 'taken over from the one before' : ''].filter(Boolean).join(' · ');
}

export function show(main, {live}) {
  let span = SPANS[0][0];
  let chosen = false; // until then the time is as long as there is something to see
  let data = null;
  let needle = '';
  const list = h('div', {class: 'strips'});
  const note = h('p', {class: 'quiet'});
  const choice = h('div', {class: 'choice', role: 'group', 'aria-label': 'Time shown'}, SPANS.map(([millis, words]) =>
    h('button', {type: 'button', 'aria-pressed': millis === span, onclick: () => {
      chosen = true;
      choose(millis);
      draw();
    }}, words)));
  const filter = h('input', {type: 'search', placeholder: 'Filter by hash', 'aria-label': 'Filter keys', spellcheck: 'false', oninput: () => { needle = filter.value.trim(); draw(); }});
  replace(main, h('div', {class: 'bar-top'}, h('h2', {}, 'Timeline'), choice, filter), legend(), note, list);

  function choose(millis) {
    span = millis;
    SPANS.forEach(([each], i) => choice.children[i].setAttribute('aria-pressed', each === span));
  }

  function draw() {
    if (!data) return;
    const to = live.now();
    if (!chosen) choose(spanOf(data.keys, to)[0]);
    const from = to - span;
    const shown = data.keys.filter(key => key.key.startsWith(needle) || (live.names.get(key.key) ?? '').includes(needle))
      .filter(key => key.holds.some(hold => (hold.to ?? to) >= from) || key.waits.some(wait => (wait.to ?? to) >= from))
      .slice(0, 60);
    setText(note, data.told ? '' : 'Learned by looking once a second: what comes and goes in between is not seen, nor is who waits. Let processes tell the console what they do to see it all.');
    if (!data.keys.length) {
      replace(list, empty('Nothing has happened yet', h('p', {}, 'Every key that is held while the console runs leaves a line here for an hour. Take one:'), code('./syncguard run hello -- sleep 5')));
      return;
    }
    const wide = innerWidth > 760;
    const width = Math.max(160, list.clientWidth - (wide ? 9.3 : 1.5) * rem());
    redraw(list, axis(from, to, width, wide), shown.map(key => h('div', {class: 'strip-row'},
      h('a', {href: `#/locks/${key.key}`}, h('code', {}, short(key.key)), live.names.has(key.key) ? ` ${live.names.get(key.key)}` : ''),
      strip(key, from, to, width))),
      shown.length ? null : h('p', {class: 'quiet'}, 'Nothing in this time.'));
  }

  const stop = watch(['history'], 2000, async () => { data = await get('api/timeline'); draw(); });
  const ticking = setInterval(draw, 1000);
  const resized = new ResizeObserver(() => draw());
  resized.observe(main);
  return {
    title: 'Timeline',
    keys: {
      '/': ['Filter', () => filter.focus()],
      z: ['Show a shorter or longer time', () => choice.children[(SPANS.findIndex(([millis]) => millis === span) + 1) % SPANS.length].click()],
    },
    close: () => { stop(); clearInterval(ticking); resized.disconnect(); },
  };
}

function axis(from, to, room, wide) {
  const marks = Array.from({length: wide ? 7 : 4}, (unused, i) => i / (wide ? 6 : 3));
  return h('div', {class: 'strip-row axis-row'}, h('span', {}, ''), across(room, 18, {'aria-hidden': 'true'}, width =>
    marks.map(part => s('text', {x: part * width, y: 13, 'text-anchor': part === 0 ? 'start' : part === 1 ? 'end' : 'middle'},
      clock(from + part * (to - from)).slice(0, to - from > 600_000 ? 5 : 8)))));
}

function legend() {
  const entry = (shape, words) => h('li', {}, s('svg', {width: 26, height: 18, viewBox: '0 0 26 18', 'aria-hidden': 'true', class: 'strip'}, shape), words);
  return h('ul', {class: 'legend'},
    entry(s('rect', {x: 2, y: 4, width: 22, height: 10, rx: 2, class: 'hold open'}), 'holds it'),
    entry(s('rect', {x: 2, y: 4, width: 22, height: 10, rx: 2, class: 'hold RELEASED'}), 'released'),
    entry(s('rect', {x: 2, y: 4, width: 22, height: 10, rx: 2, class: 'hold EXPIRED'}), 'expired'),
    entry(s('line', {x1: 2, x2: 24, y1: 9, y2: 9, class: 'wait'}), 'waited'),
    entry(s('path', {d: 'M9 6 l8 0 l-4 6z', class: 'handoff'}), 'handed over'),
    entry(s('path', {d: 'M13 2 l5 7 l-5 7 l-5 -7z', class: 'loss'}), 'lost, or ended by an operator'));
}
