// Talks to the console's server. The token arrives in the fragment of the address, which browsers send to nobody; it stays
// in this tab and travels in a header, which no other page can set.

const PLACE = 'syncguard-token';

/**
 * Tells 'away' when the server does not answer, 'here' when it does again, 'stranger' when it wants another token; 'pushing'
 * when it tells what changes, 'asking' when the page has to ask.
 */
export const link = new EventTarget();
let state = 'here';

export function takeToken() {
  const found = /^#token=([\w-]+)$/.exec(location.hash);
  if (found) {
    sessionStorage.setItem(PLACE, found[1]);
    history.replaceState(null, '', location.pathname + '#/');
  }
  return sessionStorage.getItem(PLACE) !== null;
}

function become(next) {
  if (state !== next) {
    state = next;
    link.dispatchEvent(new Event(next));
  }
}

/** A refusal, with words for whoever reads the page. */
export class Refusal extends Error {
  constructor(status, message, body) {
    super(message);
    this.status = status;
    this.body = body;
  }
}

async function request(method, path, body, signal) {
  let response;
  try {
    response = await fetch(path, {
      method,
      signal,
      headers: {authorization: `Bearer ${sessionStorage.getItem(PLACE) ?? ''}`, ...body === undefined ? {} : {'content-type': 'application/json'}},
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
  } catch (error) {
    if (error.name !== 'AbortError') become('away');
    throw new Refusal(0, 'The console does not answer.');
  }
  become(response.status === 401 ? 'stranger' : 'here');
  return response;
}

/** Opens an answer that has no end. */
export async function open(path, signal) {
  const response = await request('GET', path, undefined, signal);
  if (!response.ok) throw new Refusal(response.status, 'There is no stream.');
  return response.body;
}

export async function send(method, path, body) {
  const response = await request(method, path, body);
  const text = await response.text();
  let answer = null;
  try {
    answer = text ? JSON.parse(text) : null;
  } catch {
    answer = {text};
  }
  if (!response.ok) {
    const failure = Array.isArray(answer) ? answer[0]?.error : answer?.error;
    const message = typeof failure === 'string' ? failure : failure?.message;
    throw new Refusal(response.status, message || `The server answered ${response.status}.`, answer);
  }
  return answer;
}

export const get = path => send('GET', path);
export const post = (path, body) => send('POST', path, body);
