// Who waits for whom: processes on the left, keys on the right.

import {get} from './api.js';
import {watch} from './changes.js';
import {code, empty, h, redraw, replace, s} from './dom.js';
import {count, short} from './format.js';

const ROW = 56;

export function show(main, {live}) {
  const place = h('div', {class: 'graph'});
  replace(main, h('div', {class: 'bar-top'}, h('h2', {}, 'Who waits for whom')), place);

  function draw(data) {
    if (!data.processes.length) {
      replace(place, data.told
        ? empty('Nobody waits', h('p', {}, 'As soon as a process waits for a key that another one holds, both appear here, with every key that they hold. Whoever takes several keys with ', h('code', {}, 'lockAll'), ' takes them in one order and cannot wait in a circle.'))
        : empty('No process tells the console what it does', h('p', {}, 'A store does not know who waits for what. Processes can tell, by hashes only; give them the address that the console printed:'),
            code('LockBackend backend = Telemetry.to(ConsoleTelemetry.to(address, "billing")).over(store);')));
      return;
    }
    const keys = [...new Set(data.processes.flatMap(process => [...process.waits, ...process.holds]))].sort();
    const circles = data.processes.filter(process => process.inCircle);
    redraw(place,
      circles.length ? h('p', {class: 'finding failure', role: 'alert'}, `${circles.map(process => process.name).join(' and ')} wait for one another in a circle, and will until a limit ends it. Take several keys with lockAll.`) : null,
      legend(),
      picture(data.processes, keys, live, Math.max(320, Math.min(720, place.clientWidth))),
      h('ul', {class: 'sentences'}, data.processes.map(process => h('li', {}, h('b', {}, process.name),
        process.holds.length ? [` holds ${count(process.holds.length, 'key')}: `, list(process.holds)] : ' holds nothing',
        process.waits.length ? [', waits for ', list(process.waits)] : ''))));
  }

  const stop = watch(['history'], 1000, async () => draw(await get('api/waits')));
  return {title: 'Waits', keys: {}, close: stop};
}

function legend() {
  const entry = (kind, words) => h('li', {}, s('svg', {width: 34, height: 12, viewBox: '0 0 34 12', 'aria-hidden': 'true'}, s('path', {d: 'M1 6 H33', class: `edge ${kind}`})), words);
  return h('ul', {class: 'legend'}, entry('holds', 'holds'), entry('waits', 'waits for'), entry('waits circle', 'waits in a circle'));
}

function list(keys) {
  return keys.map((key, i) => [i ? ', ' : '', h('a', {href: `#/locks/${key}`}, h('code', {}, short(key)))]);
}

/** As wide as its place, if that is narrow: texts that shrink with a picture cannot be read. */
function picture(processes, keys, live, width) {
  const height = Math.max(processes.length, keys.length) * ROW + 16;
  const wide = Math.max(140, width * 0.3);
  const right = width - wide - 8;
  const longest = Math.floor((wide - 20) / 8);
  const y = (i, n) => 8 + (i + 0.5) * (height - 16) / n;
  const lines = [];
  processes.forEach((process, i) => {
    const from = y(i, processes.length);
    const draw = (key, kind) => {
      const to = y(keys.indexOf(key), keys.length);
      const path = `M${wide + 8} ${from} C ${width * 0.46} ${from}, ${width * 0.54} ${to}, ${right} ${to}`;
      lines.push(s('path', {d: path, class: `edge ${kind}${kind === 'waits' && process.inCircle ? ' circle' : ''}`}));
    };
    process.holds.forEach(key => draw(key, 'holds'));
    process.waits.forEach(key => draw(key, 'waits'));
  });
  const box = (x, at, words, kind) => s('g', {class: kind},
    s('rect', {x, y: at - 17, width: wide, height: 34, rx: 6}), s('text', {x: x + 12, y: at + 5}, words.length > longest ? `${words.slice(0, longest - 1)}…` : words));
  return s('svg', {viewBox: `0 0 ${width} ${height}`, class: 'waits', role: 'img', 'aria-label': `${count(processes.length, 'process', 'processes')} and ${count(keys.length, 'key')}; the list below says the same`},
    lines,
    processes.map((process, i) => box(8, y(i, processes.length), process.name, process.inCircle ? 'process circle' : 'process')),
    keys.map((key, i) => box(right, y(i, keys.length), live.names.get(key) ?? short(key), 'lock')),
    );
}
