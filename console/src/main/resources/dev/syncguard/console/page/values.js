// Firestore's values: how they are shown, what a person may type for them, and whether something is one at all.

const NAMED = ['NaN', 'Infinity', '-Infinity'];
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
const MOMENT = /^(\d{4}-\d\d-\d\d)T([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[-+]\d\d:\d\d)$/;
const BASE64 = /^([\w+/-]{4})*([\w+/-]{2}(==)?|[\w+/-]{3}=?)?$/;
const DOCUMENT = /^projects\/[^/]+\/databases\/[^/]+\/documents(\/[^/]+\/[^/]+)+$/;

const isText = inner => typeof inner === 'string';
const isObject = inner => typeof inner === 'object' && inner !== null && !Array.isArray(inner);
const isDegrees = (inner, most) => inner === undefined || (typeof inner === 'number' && Math.abs(inner) <= most);

/** What is right for each type, as it travels, and what to say if it is not. */
const RULES = {
  string: [isText, 'A string is a text; in JSON it stands in quotes.'],
  integer: [inner => isText(inner) ? /^-?\d{1,19}$/.test(inner) && BigInt.asIntN(64, BigInt(inner)) === BigInt(inner) : Number.isSafeInteger(inner),
    'An integer is a whole number from -9223372036854775808 to 9223372036854775807; inside JSON it is written in quotes.'],
  double: [inner => NAMED.includes(inner) || Number.isFinite(inner), 'A double is a number like 1.5, NaN, Infinity or -Infinity.'],
  boolean: [inner => typeof inner === 'boolean', 'A boolean is true or false.'],
  timestamp: [inner => isText(inner) && isMoment(inner), 'A timestamp is a time with its zone, like 2026-01-31T12:00:00Z or 2026-01-31T12:00:00.000001+02:00.'],
  map: [inner => isObject(inner) && isObject(inner.fields ?? {}), 'A map is JSON like {"name": {"stringValue": "x"}}.'],
  array: [inner => isObject(inner) && Array.isArray(inner.values ?? []), 'An array is JSON like [{"integerValue": "1"}].'],
  null: [inner => inner === null || inner === 'NULL_VALUE', 'A null is null.'],
  reference: [inner => isText(inner) && DOCUMENT.test(inner), 'A reference is the whole name of a document, like projects/demo/databases/(default)/documents/cities/berlin.'],
  geoPoint: [inner => isObject(inner) && isDegrees(inner.latitude, 90) && isDegrees(inner.longitude, 180), 'A geographical point is like 52.5, 13.4: up to 90 degrees of latitude and 180 of longitude.'],
  bytes: [inner => isText(inner) && BASE64.test(inner), 'Bytes are written in base64, like AAECAw==.'],
};

export const TYPES = Object.keys(RULES);

/** JavaScript counts a thirtieth of February as a second of March. */
function isMoment(text) {
  const [, date] = MOMENT.exec(text) ?? [];
  const midnight = new Date(`${date}T00:00:00Z`);
  return !Number.isNaN(midnight.getTime()) && midnight.toISOString().startsWith(date) && !date.startsWith('0000');
}

export function typeOf(value) {
  return Object.keys(value)[0]?.replace(/Value$/, '') ?? 'null';
}

/** The type as people call it: a vector travels as a map. */
export function typeName(value) {
  return value.mapValue?.fields?.__type__?.stringValue === '__vector__' ? 'vector' : typeOf(value);
}

/** Returns a value, or throws an Error that says where it is not one. */
export function checked(value, where = '') {
  const wrong = message => new Error(where ? `${where}: ${message}` : message);
  const type = isObject(value) && Object.keys(value).length === 1 ? typeOf(value) : '';
  if (!Object.hasOwn(RULES, type) || !Object.hasOwn(value, `${type}Value`)) throw wrong('A value is JSON with one type, like {"stringValue": "x"}.');
  const inner = value[`${type}Value`];
  const [isRight, words] = RULES[type];
  if (!isRight(inner)) throw wrong(words);
  const below = name => where ? `${where}.${name}` : String(name);
  if (type === 'map') Object.entries(inner.fields ?? {}).forEach(([name, field]) => checked(field, below(name)));
  if (type === 'array') {
    (inner.values ?? []).forEach((item, i) => {
      if (isObject(item) && typeOf(item) === 'array') throw new Error(`${below(i)}: An array holds no array, except inside a map.`);
      checked(item, below(i));
    });
  }
  return value;
}

/** What a person has typed as a value, or an Error that says what is wrong. */
export function parse(type, text, escaped = false) {
  const trimmed = text.trim();
  return checked({[`${type}Value`]: inner(type, escaped ? text : type === 'string' ? text : trimmed, escaped)});
}

function inner(type, text, escaped) {
  switch (type) {
    case 'string': return escaped ? json(text) : text;
    case 'double': return numberOf(text);
    case 'boolean': return {true: true, false: false}[text];
    case 'null': return null;
    case 'geoPoint': {
      const degrees = text.split(',').map(part => numberOf(part.trim()));
      return degrees.length === 2 ? {latitude: degrees[0], longitude: degrees[1]} : undefined;
    }
    case 'map': return {fields: json(text || '{}') ?? 'nothing'};
    case 'array': return {values: json(text || '[]') ?? 'nothing'};
    default: return text;
  }
}

function numberOf(text) {
  return NUMBER.test(text) ? Number(text) : text;
}

function json(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Whether a text area would change a text: it knows no carriage returns. Such a text is edited as JSON. */
export function needsEscape(value) {
  return value?.stringValue?.includes('\r') ?? false;
}

/** A value as a person edits it. */
export function textOf(value) {
  const type = typeOf(value);
  const inside = value[`${type}Value`];
  if (type === 'null') return '';
  if (type === 'map') return JSON.stringify(inside.fields ?? {}, null, 2);
  if (type === 'array') return JSON.stringify(inside.values ?? [], null, 2);
  if (type === 'geoPoint') return `${inside.latitude ?? 0}, ${inside.longitude ?? 0}`;
  return needsEscape(value) ? JSON.stringify(inside) : String(inside);
}

/** A value as one line, of which no more is made than is shown. */
export function brief(value, longest = 90) {
  const text = brevity(value, longest);
  return text.length > longest ? `${text.slice(0, longest)}…` : text;
}

function brevity(value, room) {
  const type = typeOf(value);
  const inside = value[`${type}Value`];
  if (type === 'null') return 'null';
  if (type === 'string') return JSON.stringify(inside.length > room ? inside.slice(0, room) : inside);
  if (type === 'map') return `{${listed(Object.entries(inside.fields ?? {}), ([name, field], left) => `${name}: ${brevity(field, left)}`, room)}}`;
  if (type === 'array') return `[${listed(inside.values ?? [], brevity, room)}]`;
  if (type === 'geoPoint') return `${inside.latitude ?? 0}, ${inside.longitude ?? 0}`;
  return String(inside);
}

function listed(items, words, room) {
  let text = '';
  for (const item of items) {
    if (text.length > room) break;
    text += (text ? ', ' : '') + words(item, room - text.length);
  }
  return text;
}
