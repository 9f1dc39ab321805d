// The merge of a reader's state as somebody would write it in JavaScript: the same rules, on a Set and Maps.
window.handWrittenMerge = (() => {
  const NOW = '2026-01-01T00:00:00.000Z';
  const WRITER = 'device:tab';
  const READ_KEY = /^[A-Za-z0-9_-]{1,64}$/;
  const AUTHOR_KEY = /^[^\u0000-\u001f\u007f]{1,64}$/;
  const RESERVED = /^__.*__$/;
  let local;
  let remote;

  const mergeRead = () => {
    const epoch = Math.max(local.readEpoch, remote.read.epoch);
    const value = remote.read.epoch >= epoch ? new Set(remote.read.value) : new Set();
    if (local.readEpoch >= epoch) {
      for (const id of local.read) {
        if (READ_KEY.test(id) && !RESERVED.test(id)) value.add(id);
      }
    }
    const same = epoch === remote.read.epoch && value.size === remote.read.value.size;
    return same ? remote.read : { updatedAt: NOW, updatedBy: WRITER, epoch, value };
  };

  const mergeAuthors = () => {
    const epoch = Math.max(local.authorsEpoch, remote.authors.epoch);
    const value = remote.authors.epoch >= epoch ? new Map(remote.authors.value) : new Map();
    let changes = false;
    if (local.authorsEpoch >= epoch) {
      for (const [author, v] of local.authors) {
        const there = value.get(author);
        const changed = local.changed.has(author);
        if (there === undefined) {
          if ((v === 0 && !changed) || !AUTHOR_KEY.test(author) || RESERVED.test(author)) continue;
          value.set(author, { v, version: 1, updatedAt: NOW, updatedBy: WRITER });
        } else if (changed && v !== there.v) {
          value.set(author, { v, version: there.version + 1, updatedAt: NOW, updatedBy: WRITER });
        } else {
          continue;
        }
        changes = true;
      }
    }
    const same = epoch === remote.authors.epoch && !changes;
    return same ? remote.authors : { updatedAt: NOW, updatedBy: WRITER, epoch, value };
  };

  return {
    take(data) {
      local = {
        read: new Set(data.local.read),
        readEpoch: data.epoch,
        authors: new Map(data.local.authors),
        authorsEpoch: data.epoch,
        changed: new Set(data.local.changed),
      };
      remote = {
        read: { epoch: data.epoch, value: new Set(data.remote.read) },
        authors: {
          epoch: data.epoch,
          value: new Map(data.remote.authors.map(
            (author) => [author, { v: 1, version: 3, updatedAt: NOW, updatedBy: WRITER }])),
        },
      };
    },
    merge() {
      return mergeRead().value.size + mergeAuthors().value.size;
    },
  };
})();
