// How long it takes to get a lock, and how long locks are held.

import {get} from './api.js';
import {watch} from './changes.js';
import {empty, h, replace, s} from './dom.js';
import {count, duration} from './format.js';

export function show(main) {
  const place = h('div', {class: 'charts'});
  replace(main, h('div', {class: 'bar-top'}, h('h2', {}, 'Wait and hold times')), place);
  const stop = watch(['history'], 2000, async () => {
    const data = await get('api/times');
    const width = Math.max(280, Math.min(560, place.clientWidth - 40)); // A picture that shrinks takes its texts along.
    replace(place,
      chart(width, 'Waiting for a lock', data.wait, data.told ? 'Nobody has taken a lock yet.' : 'No process tells the console how long it waits.'),
      chart(width, 'Holding a lock', data.hold, 'No lease has ended since the console started.'));
  });
  return {title: 'Times', keys: {}, close: stop};
}

function chart(width, title, data, nothing) {
  if (!data.total) return h('section', {class: 'chart'}, empty(title, h('p', {}, nothing)));
  const height = 220;
  const most = Math.max(...data.classes.map(entry => entry.count));
  const step = width / Math.max(6, data.classes.length);
  const words = entry => `${entry.below > 1 ? `${duration(entry.below / 2)} to ` : 'below '}${duration(entry.below)}`;
  return h('section', {class: 'chart'},
    h('h3', {}, title), h('p', {class: 'quiet'}, `${count(data.total, 'time')} since the console started`),
    h('dl', {class: 'figures'}, [['Half below', data.median], ['95 % below', data.p95], ['99 % below', data.p99]].map(([term, value]) =>
      h('div', {}, h('dt', {}, term), h('dd', {}, duration(value))))),
    s('svg', {viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${title}: ${data.classes.filter(entry => entry.count).map(entry => `${entry.count} ${words(entry)}`).join(', ')}`, class: 'histogram'},
      data.classes.map((entry, i) => {
        const tall = entry.count ? Math.max(2, entry.count / most * (height - 50)) : 0;
        return s('g', {}, s('title', {}, `${entry.count} times ${words(entry)}`),
          s('rect', {x: i * step + 2, y: height - 24 - tall, width: step - 4, height: tall, rx: 2}),
          entry.count ? s('text', {x: i * step + step / 2, y: height - 30 - tall, 'text-anchor': 'middle'}, String(entry.count)) : null,
          i % Math.ceil(58 / step) === 0 ? s('text', {x: i * step + step / 2, y: height - 6, 'text-anchor': 'middle', class: 'tick'}, `< ${duration(entry.below)}`) : null);
      }),
      s('line', {x1: 0, x2: width, y1: height - 24, y2: height - 24, class: 'axis'})));
}
