"use strict";
const root = document.documentElement.dataset.root;
const form = document.getElementById("search");
const input = form.q;
const results = document.getElementById("results");

// Theme, menu and diagrams.
function drawDiagrams() {
  if (!window.mermaid) return;
  const dark = document.documentElement.dataset.theme === "dark";
  window.mermaid.initialize({ startOnLoad: false, securityLevel: "strict", theme: dark ? "dark" : "neutral" });
  for (const diagram of document.querySelectorAll("pre.mermaid")) {
    diagram.dataset.source ??= diagram.textContent;
    diagram.textContent = diagram.dataset.source;
    delete diagram.dataset.processed;
  }
  window.mermaid.run({ querySelector: "pre.mermaid" });
}
document.getElementById("theme").addEventListener("click", () => {
  const theme = document.documentElement.dataset.theme === "dark" ? "light" : "dark";
  document.documentElement.dataset.theme = theme;
  try {
    localStorage.setItem("theme", theme);
  } catch (e) {
    // Only this page remembers it.
  }
  drawDiagrams();
});
const menu = document.getElementById("menu");
menu.addEventListener("click", () => {
  menu.setAttribute("aria-expanded", document.getElementById("navigation").classList.toggle("open"));
});
drawDiagrams();

// Search: every word must occur; titles and headings count more than text.
let loading = null;
function index() {
  loading ??= new Promise((done, failed) => {
    const script = document.createElement("script");
    script.src = root + "assets/search-index.js";
    script.onload = () => done(window.searchIndex);
    script.onerror = failed;
    document.head.append(script);
  });
  return loading;
}
function wordsOf(text) {
  return text.toLowerCase().split(/[^\p{L}\p{N}_]+/u).filter(Boolean);
}
function score(entry, words) {
  const [title, heading, text] = [entry[1], entry[2], entry[3]].map((part) => part.toLowerCase());
  let total = 0;
  for (const word of words) {
    const found = (title.includes(word) ? 8 : 0) + (heading.includes(word) ? 12 : 0) +
        Math.min(text.split(word).length - 1, 5);
    if (found === 0) return 0;
    total += found;
  }
  return total;
}
function marked(element, text, words) {
  const pattern = new RegExp("(" + words.map((word) => word.replace(/[^\p{L}\p{N}_]/gu, "")).join("|") + ")", "giu");
  for (const [i, part] of text.split(pattern).entries()) {
    const piece = i % 2 ? document.createElement("mark") : document.createTextNode(part);
    if (i % 2) piece.textContent = part;
    element.append(piece);
  }
}
function excerpt(text, words) {
  const at = Math.max(0, text.toLowerCase().indexOf(words[0]));
  const from = Math.max(0, text.lastIndexOf(" ", Math.max(0, at - 60)));
  return (from > 0 ? "… " : "") + text.slice(from, from + 170) + (from + 170 < text.length ? " …" : "");
}
function item(entry, words) {
  const link = document.createElement("a");
  link.href = root + entry[0];
  const name = document.createElement("strong");
  marked(name, entry[1] === entry[2] ? entry[1] : entry[1] + " › " + entry[2], words);
  const about = document.createElement("small");
  marked(about, excerpt(entry[3], words), words);
  link.append(name, about);
  const li = document.createElement("li");
  li.append(link);
  return li;
}
async function search() {
  const words = wordsOf(input.value);
  if (!words.length) {
    results.hidden = true;
    return;
  }
  const entries = await index();
  const found = entries.map((entry) => [score(entry, words), entry]).filter(([points]) => points > 0)
      .sort((a, b) => b[0] - a[0]).slice(0, 12);
  results.replaceChildren(...found.map(([, entry]) => item(entry, words)));
  if (!found.length) {
    const none = document.createElement("li");
    none.className = "none";
    none.textContent = "Nothing has all of these words";
    results.append(none);
  }
  results.hidden = false;
}
function choose(step) {
  const links = [...results.querySelectorAll("a")];
  const now = links.findIndex((link) => link.classList.contains("chosen"));
  links[now]?.classList.remove("chosen");
  const next = links[(now + step + links.length) % links.length];
  next?.classList.add("chosen");
  next?.scrollIntoView({ block: "nearest" });
}
input.addEventListener("input", search);
input.addEventListener("focus", index, { once: true });
input.addEventListener("keydown", (event) => {
  if (event.key === "ArrowDown" || event.key === "ArrowUp") {
    event.preventDefault();
    choose(event.key === "ArrowDown" ? 1 : -1);
  } else if (event.key === "Escape") {
    results.hidden = true;
    input.blur();
  }
});
form.addEventListener("submit", (event) => {
  event.preventDefault();
  (results.querySelector("a.chosen") ?? results.querySelector("a"))?.click();
});
document.addEventListener("click", (event) => {
  if (!form.contains(event.target)) results.hidden = true;
});
document.addEventListener("keydown", (event) => {
  if (event.key === "/" && !/^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName)) {
    event.preventDefault();
    input.focus();
  }
});
const asked = new URLSearchParams(location.search).get("q");
if (asked) {
  input.value = asked;
  search();
}
