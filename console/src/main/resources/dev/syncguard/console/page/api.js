// Talks to the console's server. The token arrives in the fragment of the address, which browsers send to nobody; it stays
// in this tab and travels in a header, which no other page can set.

const PLACE = 'syncguard-token';

/** Tells 'away' when the server does not answer, 'here' when it does again, 'stranger' when it wants another token. */
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

export async function send(method, path, body) {
  let response;
  try {
    response = await fetch(path, {
      method,
      headers: {authorization: `Bearer ${sessionStorage.getItem(PLACE) ?? ''}`, ...body === undefined ? {} : {'content-type': 'application/json'}},
      body: body === undefined ? undefined : JSON.stringify(body),
      cache: 'no-store',
      credentials: 'omit',
      referrerPolicy: 'no-referrer',
    });
  } catch (error) {
    become('away');
    throw new Refusal(0, 'The console does not answer.');
  }
  if (response.status === 401) {
    become('stranger');
  } else {
    become('here');
  }
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

/** Does something now and again and again until it is stopped; failures are told and do not end it. */
export function every(millis, work, failed = () => {}) {
  let stopped = false;
  let timer;
  async function round() {
    try {
      if (!document.hidden) await work();
    } catch (error) {
      if (!(error instanceof Refusal)) console.error(error);
      if (!stopped) failed(error);
    }
    if (!stopped) timer = setTimeout(round, millis);
  }
  round();
  const seen = () => { if (!document.hidden && !stopped) { clearTimeout(timer); round(); } };
  document.addEventListener('visibilitychange', seen);
  return () => {
    stopped = true;
    clearTimeout(timer);
    document.removeEventListener('visibilitychange', seen);
  };
}
