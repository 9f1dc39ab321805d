// Before the first paint, so that a dark page does not flash.
(function () {
  "use strict";
  let chosen = null;
  try {
    chosen = localStorage.getItem("theme");
  } catch (e) {
    // Storage is blocked: the system decides.
  }
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  document.documentElement.dataset.theme = chosen || (dark ? "dark" : "light");
})();
