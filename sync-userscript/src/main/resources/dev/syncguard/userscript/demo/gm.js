// Stands in for a userscript manager: the functions that power-reader.user.js is granted, emulated in the page.
// Values are kept in this origin's localStorage, so one origin is one device and its tabs share them. Requests go
// through the forum's server, which sends them on to the Firestore of this demo, and only to hosts that the script's
// @connect lines name.
(() => {
  const connect = /*CONNECT*/[]/*CONNECT*/;
  const prefix = 'gm:';
  const listeners = {};
  const parse = (text) => (text === null ? undefined : JSON.parse(text));
  const tell = (key, before, now, remote) => (listeners[key] || []).forEach((listener) => listener(key, before, now, remote));

  // On the page that shows several devices each of them is in a frame. It hears of changes there, and may press the button
  // that a reader would.
  const tellDemo = (what) => parent !== window && parent.postMessage({ demo: what }, '*');
  const syncNow = () => {
    const button = document.getElementById('pr-sync-now-btn');
    if (button && !button.disabled) button.click();
    else setTimeout(syncNow, 500);
  };
  window.addEventListener('message', (event) => {
    if (event.source === parent && event.data && event.data.demo === 'sync') syncNow();
  });

  window.GM_getValue = (key, otherwise) => {
    const text = localStorage.getItem(prefix + key);
    return text === null ? otherwise : JSON.parse(text);
  };
  window.GM_setValue = (key, value) => {
    const before = localStorage.getItem(prefix + key);
    localStorage.setItem(prefix + key, JSON.stringify(value));
    tell(key, parse(before), value, false);
    if (/power-reader-(read|read-from|author-prefs)$/.test(key)) tellDemo('changed');
  };
  window.GM_deleteValue = (key) => {
    const before = localStorage.getItem(prefix + key);
    localStorage.removeItem(prefix + key);
    tell(key, parse(before), undefined, false);
  };
  window.GM_addValueChangeListener = (key, listener) => {
    (listeners[key] = listeners[key] || []).push(listener);
  };
  window.addEventListener('storage', (event) => {
    if (event.storageArea === localStorage && event.key !== null && event.key.startsWith(prefix)) {
      tell(event.key.slice(prefix.length), parse(event.oldValue), parse(event.newValue), true);
    }
  });

  window.GM_xmlhttpRequest = (details) => {
    const host = new URL(details.url).hostname;
    if (!(window.__GM_CONNECT__ || connect).includes(host)) {
      const error = `Refused to connect to "${details.url}": it is not on the @connect list`;
      setTimeout(() => details.onerror({ status: 0, error }), 0);
      return;
    }
    const request = new XMLHttpRequest();
    request.open(details.method, '/__gm/' + details.url.replace('://', '/'));
    request.timeout = details.timeout || 0;
    // A commit without an answer may have arrived as well, and is then not sent again.
    const tellIfPushed = () => details.url.includes('documents:commit') && tellDemo('pushed');
    request.onload = () => {
      if (request.status === 200) tellIfPushed();
      details.onload({
        status: request.status,
        responseText: request.responseText,
        responseHeaders: 'date: ' + (request.getResponseHeader('X-Date') || '') + '\r\n',
      });
    };
    request.onerror = () => {
      tellIfPushed();
      details.onerror({ status: 0 });
    };
    request.ontimeout = () => {
      tellIfPushed();
      details.ontimeout({ status: 0 });
    };
    request.send(details.data === undefined ? null : details.data);
  };
})();
