// Builds elements. Whatever comes from elsewhere becomes text, never markup.

const SVG = 'http://www.w3.org/2000/svg';

function fill(element, attributes, children) {
  for (const [name, value] of Object.entries(attributes ?? {})) {
    if (value === undefined || value === null || (value === false && !name.startsWith('aria-'))) continue;
    if (name.startsWith('on')) element.addEventListener(name.slice(2), value);
    else if (name === 'style') Object.entries(value).forEach(([key, text]) => element.style.setProperty(key, text));
    else if (['value', 'checked', 'disabled', 'selected', 'open'].includes(name)) element[name] = value;
    else element.setAttribute(name, value === true && !name.startsWith('aria-') ? '' : String(value));
  }
  element.append(...children.flat(3).filter(child => child !== null && child !== undefined && child !== false));
  return element;
}

/** An HTML element; children are elements or texts. */
export function h(tag, attributes, ...children) {
  return fill(document.createElement(tag), attributes, children);
}

/** An SVG element. */
export function s(tag, attributes, ...children) {
  return fill(document.createElementNS(SVG, tag), attributes, children);
}

export function replace(parent, ...children) {
  parent.replaceChildren(...children.flat(3).filter(child => child !== null && child !== undefined && child !== false));
}

/** Replaces what is in an element that somebody may be using: the focus stays where it was. */
export function redraw(parent, ...children) {
  const before = document.activeElement;
  const focused = before !== parent && parent.contains(before) ? identity(before) : null;
  replace(parent, ...children);
  if (focused) [...parent.querySelectorAll('a, button, summary, [tabindex]')].find(element => identity(element) === focused)?.focus({preventScroll: true});
}

function identity(element) {
  return [element.tagName, element.id, element.getAttribute('href'), element.getAttribute('aria-label') ?? element.textContent].join(' ');
}

/** Sets a text only if it is another one: the browser lays out less. */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/** What a view without data says: what would be here, and how to get it. */
export function empty(title, ...children) {
  return h('section', {class: 'empty'}, h('h3', {}, title), children);
}

export function code(text) {
  return h('pre', {class: 'code', tabindex: '0'}, h('code', {}, text));
}

/** The size of a text, in pixels: pictures grow with it on large screens. */
export function rem() {
  return parseFloat(getComputedStyle(document.documentElement).fontSize);
}

let toastTimer;
export function toast(text) {
  const place = document.getElementById('toast');
  place.textContent = text;
  place.classList.add('shown');
  clearTimeout(toastTimer);
  toastTimer = setTimeout(() => { place.classList.remove('shown'); place.textContent = ''; }, 6000);
}

export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    toast(`${what} copied.`);
  } catch {
    toast('The browser did not allow copying; select the text instead.');
  }
}
