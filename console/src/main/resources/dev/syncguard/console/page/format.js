// Turns numbers into words.

/** A duration in two units at most: 950 ms, 12 s, 3 min 20 s, 2 h 5 min. */
export function duration(millis) {
  const ms = Math.max(0, Math.round(millis));
  if (ms < 1000) return `${ms} ms`;
  const seconds = Math.floor(ms / 1000);
  if (seconds < 10) return `${(ms / 1000).toFixed(1)} s`;
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return seconds % 60 ? `${minutes} min ${seconds % 60} s` : `${minutes} min`;
  const hours = Math.floor(minutes / 60);
  if (hours < 48) return minutes % 60 ? `${hours} h ${minutes % 60} min` : `${hours} h`;
  return `${Math.floor(hours / 24)} d ${hours % 24} h`;
}

/** Whole seconds, for texts that change every second: 17 s, 1:06, 2:00:59. */
export function countdown(millis) {
  const seconds = Math.ceil(Math.max(0, millis) / 1000);
  const two = number => String(number).padStart(2, '0');
  if (seconds < 60) return `${seconds} s`;
  const minutes = Math.floor(seconds / 60);
  if (minutes < 60) return `${minutes}:${two(seconds % 60)}`;
  return minutes < 2880 ? `${Math.floor(minutes / 60)}:${two(minutes % 60)}:${two(seconds % 60)}` : duration(seconds * 1000);
}

/** A fence without the zeros that make all of them equally long. */
export function fence(text) {
  return text.replace(/^0+(?=\d)/, '');
}

export function clock(millis) {
  return new Date(millis).toLocaleTimeString([], {hour: '2-digit', minute: '2-digit', second: '2-digit', hour12: false});
}

export function count(number, one, many = `${one}s`) {
  return `${number.toLocaleString('en')} ${number === 1 ? one : many}`;
}

/** The first digits of a hash, as the command line shows them. */
export function short(hash) {
  return hash.slice(0, 8);
}
