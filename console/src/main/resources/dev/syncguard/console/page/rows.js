// A list of any length of which only the visible part exists. One element holds the focus and says which row is meant, so
// that screen readers hear a table and the keyboard moves through all of it.

import {h, rem} from './dom.js';

const OVERSCAN = 6;
let lastId = 0;

export class Rows {
  /**
   * columns: [{name, title, sort?}] of the head; height: of a row, in rem; create(): a row's cells; update(cells, item): fills them;
   * identity(item): what makes an item the same one; opened(item): Enter or a click; chosen(item): the selection moved.
   */
  constructor({label, columns, height, create, update, identity, opened, chosen = () => {}, sorted = () => {}}) {
    Object.assign(this, {create, update, identity, opened, chosen, sorted});
    this.rem = height;
    this.items = [];
    this.pool = [];
    this.first = 0;
    this.selected = null;
    this.id = `rows${++lastId}`;
    this.heads = new Map();
    const head = h('div', {role: 'row', class: 'row head', 'aria-rowindex': 1}, columns.map(column => this.headCell(column)));
    this.headRow = head;
    this.space = h('div', {class: 'space', role: 'presentation'});
    this.body = h('div', {role: 'rowgroup', class: 'body'}, this.space);
    this.element = h('div', {
      role: 'grid', class: 'rows', tabindex: 0, 'aria-label': label, 'aria-colcount': columns.length,
      onkeydown: event => this.key(event),
    }, h('div', {role: 'rowgroup', class: 'headgroup'}, head), this.body);
    this.measure();
    this.element.addEventListener('scroll', () => this.scheduleLayout(), {passive: true});
    this.body.addEventListener('click', event => this.click(event));
    this.observer = new ResizeObserver(() => { this.measure(); this.layout(); });
    this.observer.observe(this.element);
  }

  /** Texts are larger on large screens, and rows with them; on small ones a row has two lines. */
  measure() {
    const height = Math.round((parseFloat(getComputedStyle(this.element).getPropertyValue('--row-rem')) || this.rem) * rem());
    if (height === this.height) return;
    this.height = height;
    this.element.style.setProperty('--row', `${height}px`);
    this.space.style.height = `${this.items.length * height}px`;
    this.pool.forEach(row => { row.index = -1; });
  }

  headCell(column) {
    const cell = column.sort
      ? h('div', {role: 'columnheader', class: column.name, 'aria-sort': 'none'},
          h('button', {type: 'button', tabindex: -1, onclick: () => this.sorted(column.name)}, column.title))
      : h('div', {role: 'columnheader', class: column.name}, column.title);
    this.heads.set(column.name, cell);
    return cell;
  }

  showSort(name, descending) {
    this.heads.forEach((cell, key) => {
      if (cell.hasAttribute('aria-sort')) cell.setAttribute('aria-sort', key === name ? (descending ? 'descending' : 'ascending') : 'none');
    });
  }

  set(items) {
    this.items = items;
    this.element.setAttribute('aria-rowcount', items.length + 1);
    this.space.style.height = `${items.length * this.height}px`;
    this.layout();
  }

  scheduleLayout() {
    if (!this.frame) this.frame = requestAnimationFrame(() => { this.frame = 0; this.layout(); });
  }

  layout() {
    const room = Math.ceil(this.element.clientHeight / this.height) + 2 * OVERSCAN;
    const top = Math.max(0, Math.floor(this.element.scrollTop / this.height) - OVERSCAN);
    this.first = Math.max(0, Math.min(top, this.items.length - room));
    const wanted = Math.min(room, this.items.length);
    while (this.pool.length < wanted) this.pool.push(this.newRow());
    while (this.pool.length > wanted) this.pool.pop().element.remove();
    // A row keeps its item while it is visible, so that its bar runs on instead of starting anew.
    const offset = this.first;
    this.pool.forEach((row, place) => {
      const index = offset + (((place - offset) % wanted) + wanted) % wanted;
      this.place(row, index);
    });
    this.markSelected();
  }

  newRow() {
    const cells = this.create();
    const element = h('div', {role: 'row', class: 'row'}, Object.values(cells.columns));
    this.body.append(element);
    return {element, cells, index: -1};
  }

  place(row, index) {
    if (row.index !== index) {
      row.index = index;
      row.element.id = `${this.id}-${index}`;
      row.element.style.transform = `translateY(${index * this.height}px)`;
      row.element.setAttribute('aria-rowindex', index + 2);
    }
    row.item = this.items[index];
    this.update(row.cells, row.item, row.element);
  }

  /** Fills the visible rows again, because time has passed. */
  refresh() {
    this.pool.forEach(row => this.update(row.cells, row.item, row.element));
  }

  markSelected() {
    let active = null;
    for (const row of this.pool) {
      const is = this.selected !== null && this.identity(row.item) === this.selected;
      row.element.setAttribute('aria-selected', is);
      if (is) active = row.element.id;
    }
    if (active) this.element.setAttribute('aria-activedescendant', active);
    else this.element.removeAttribute('aria-activedescendant');
  }

  selectedIndex() {
    return this.selected === null ? -1 : this.items.findIndex(item => this.identity(item) === this.selected);
  }

  select(index) {
    if (!this.items.length) return;
    const at = Math.max(0, Math.min(index, this.items.length - 1));
    this.selected = this.identity(this.items[at]);
    const head = this.headRow.offsetHeight;
    const top = at * this.height;
    const visible = this.element.clientHeight - head;
    if (top < this.element.scrollTop) this.element.scrollTop = top;
    else if (top + this.height > this.element.scrollTop + visible) this.element.scrollTop = top + this.height - visible;
    this.layout();
    this.chosen(this.items[at]);
  }

  key(event) {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const page = Math.max(1, Math.floor(this.element.clientHeight / this.height) - 2);
    const at = this.selectedIndex();
    const moves = {ArrowDown: at + 1, j: at + 1, ArrowUp: at - 1, k: at - 1, PageDown: at + page, PageUp: at - page, Home: 0, End: this.items.length - 1};
    if (event.key in moves) {
      event.preventDefault();
      event.stopPropagation();
      this.select(Math.max(0, moves[event.key]));
    } else if (event.key === 'Enter' && event.target === this.element && at >= 0) {
      event.preventDefault();
      this.opened(this.items[at]);
    }
  }

  click(event) {
    const element = event.target.closest('.row');
    const row = this.pool.find(candidate => candidate.element === element);
    if (row) {
      this.selected = this.identity(row.item);
      this.markSelected();
      this.element.focus({preventScroll: true});
      this.opened(row.item);
    }
  }

  close() {
    this.observer.disconnect();
    cancelAnimationFrame(this.frame);
  }
}
