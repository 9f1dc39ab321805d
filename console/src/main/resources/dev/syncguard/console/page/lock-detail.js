// One key, followed from holder to holder.

import {get, post} from './api.js';
import {watch} from './changes.js';
import {copy, h, rem, replace, setText, toast} from './dom.js';
import {clock, count, countdown, duration, fence} from './format.js';
import {END_WORDS, spanOf, strip} from './timeline.js';

export class LockDetail {
  constructor(place, key, context, closed) {
    Object.assign(this, {place, key, live: context.live, about: context.about});
    this.history = null;
    this.title = h('h3', {});
    this.facts = h('dl', {class: 'facts'});
    this.past = h('div', {});
    this.span = h('h4', {}, 'Last hour');
    this.release = this.about.admin ? this.releaseForm() : null;
    replace(place, h('div', {class: 'side-top'}, this.title,
        h('button', {type: 'button', class: 'plain', 'aria-label': 'Stop following', onclick: closed}, '✕')),
      h('p', {class: 'hash'}, h('code', {}, key), ' ',
        h('button', {type: 'button', class: 'small', onclick: () => copy(key, 'Hash')}, 'Copy')),
      this.facts, this.nameForm(), this.span, this.past, this.release);
    this.refresh = () => this.draw();
    this.live.addEventListener('answer', this.refresh);
    this.stopAsking = watch(['history'], 2000, () => this.ask());
    this.ticking = setInterval(() => { this.draw(); this.drawPast(); }, 1000);
    this.draw();
  }

  async ask() {
    try {
      this.history = await get(`api/key?hash=${this.key}`);
    } catch (error) {
      if (error.status !== 404) throw error;
      this.history = null;
    }
    this.drawPast();
  }

  draw() {
    const lock = this.live.ofKey(this.key);
    const name = lock ? this.live.nameOf(lock) : this.live.names.get(this.key);
    setText(this.title, name ?? 'A key by its hash');
    const facts = lock ? [
      ['Held for', duration(this.live.now() - lock.since)],
      ['Remaining', countdown(lock.until - this.live.now())],
      ['Fence', fence(lock.fence)],
      ['Holder', this.live.holderOf(lock) ?? 'says nothing about itself'],
      ['Waiting', waiting(this.live.waitersOf(lock))],
      ['Since', clock(lock.since)],
    ] : [['Now', 'free']];
    replace(this.facts, facts.map(([term, text]) => [h('dt', {}, term), h('dd', {}, text)]));
  }

  drawPast() {
    const holds = this.history?.holds ?? [];
    if (!holds.length) {
      replace(this.past, h('p', {class: 'quiet'}, 'Nobody was seen to hold it.'));
      return;
    }
    const now = this.live.now();
    const recent = holds.slice(-8).reverse();
    const [millis, words] = spanOf([this.history], now);
    setText(this.span, `Last ${words.replace(/^1 min/, 'minute').replace('1 hour', 'hour')}`);
    replace(this.past, strip(this.history, now - millis, now, Math.max(60, this.place.clientWidth - 2.4 * rem())),
      h('table', {class: 'small'}, h('thead', {}, h('tr', {}, ['Taken', 'Held', 'Fence', 'End'].map(text => h('th', {scope: 'col'}, text)))),
        h('tbody', {}, recent.map(hold => h('tr', {class: hold.end === 'LOST' || hold.end === 'FORCED' ? 'bad' : ''},
          h('td', {}, clock(hold.from)),
          h('td', {}, duration((hold.to ?? now) - hold.from)),
          h('td', {}, hold.fence ? fence(hold.fence) : '–'),
          h('td', {}, hold.end ? END_WORDS[hold.end] : 'holds it', hold.process ? h('span', {class: 'quiet'}, ` ${hold.process}`) : null))))));
  }

  nameForm() {
    const input = h('input', {id: 'key-name', autocomplete: 'off', spellcheck: 'false'});
    const answer = h('span', {role: 'status', class: 'quiet'});
    return h('details', {}, h('summary', {}, 'Which key is it?'),
      h('p', {}, h('button', {type: 'button', onclick: () => this.reveal()}, 'Reveal its name'), h('span', {class: 'quiet'}, ' in this tab only. Or compare it with a name that you know:')),
      h('form', {class: 'inline', onsubmit: async event => {
        event.preventDefault();
        try {
          const {key} = await post('api/hash', {name: input.value});
          if (key === this.key) this.live.names.set(key, input.value);
          setText(answer, key === this.key ? 'Yes. The page shows its name now.' : 'No, that is another key.');
          this.draw();
        } catch (error) {
          setText(answer, error.message);
        }
      }}, h('label', {for: 'key-name'}, 'Its name'), input, h('button', {}, 'Compare'), answer));
  }

  async reveal() {
    try {
      const {name} = await post('api/reveal', {key: this.key});
      this.live.names.set(this.key, name);
      this.live.dispatchEvent(new CustomEvent('answer', {detail: {changed: true}}));
    } catch (error) {
      toast(error.message);
    }
  }

  releaseForm() {
    const input = h('input', {id: 'release-name', autocomplete: 'off', spellcheck: 'false', required: true});
    return h('details', {class: 'danger'}, h('summary', {}, 'End this lease'),
      h('p', {}, 'Its holder is not asked and may be in the middle of its work. Until it notices, only the check of its fence keeps it from doing harm.'),
      h('form', {class: 'inline', onsubmit: event => this.releaseNow(event, input)},
        h('label', {for: 'release-name'}, 'Type the name of the key'), input, h('button', {class: 'danger'}, 'End the lease')));
  }

  async releaseNow(event, input) {
    event.preventDefault();
    try {
      const answer = await post('api/release', {key: this.key, name: input.value});
      toast(answer.released ? `Ended. The lease with fence ${fence(answer.fence)} is over, but its holder may not know yet.`
        : 'Nobody held the key, or its holder has just changed. Nothing was changed.');
      input.value = '';
    } catch (error) {
      toast(error.message);
    }
  }

  close() {
    this.live.removeEventListener('answer', this.refresh);
    this.stopAsking();
    clearInterval(this.ticking);
    replace(this.place);
  }
}

function waiting(number) {
  return number === undefined ? 'not told' : number ? count(number, 'waiter') : 'nobody';
}
