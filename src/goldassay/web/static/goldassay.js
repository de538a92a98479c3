"use strict";
// Keys for what the pages can do without this script; an answer that could not be sent is kept.

const form = document.getElementById("label");
const notice = document.getElementById("notice");
const typing = (element) =>
  element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement ||
  (element instanceof HTMLInputElement && !["checkbox", "radio"].includes(element.type));

function tell(message, bad) {
  if (!notice) return;
  notice.textContent = message;
  notice.className = bad ? "note bad" : "note";
  notice.hidden = false;
}

// Sending

let sending = false;
async function send(target, submitter) {
  if (sending) return;
  sending = true;
  const fields = new URLSearchParams(new FormData(target, submitter));
  for (;;) {
    try {
      const answer = await fetch(target.action, {
        method: "POST", body: fields, headers: { accept: "application/json" },
      });
      if (answer.ok) {
        const { next } = await answer.json();
        if (target === form) sessionStorage.removeItem(draft);
        location.assign(next);
        return;
      }
      tell(`Not saved. ${await answer.text()}`, true);
      sending = false;
      return;
    } catch {
      tell("Not saved yet: the server does not answer. This page keeps your answer and tries again "
        + "every two seconds; leave it open.", true);
      await new Promise((wake) => setTimeout(wake, 2000));
    }
  }
}

for (const target of document.querySelectorAll("form[method=post]")) {
  target.addEventListener("submit", (event) => {
    event.preventDefault();
    send(target, event.submitter);
  });
}

// What is written and chosen and not yet saved outlives a reload

const draft = form && `goldassay-draft-${form.dataset.unit}`;
const inputs = form ? [...form.elements].filter((one) => one.name && one.type !== "hidden" && one.type !== "submit") : [];
if (form) {
  const kept = JSON.parse(sessionStorage.getItem(draft) || "null");
  if (kept && kept.length === inputs.length) {
    inputs.forEach((one, n) => {
      if (typeof kept[n] === "boolean") one.checked = kept[n];
      else if (kept[n]) one.value = kept[n];
      if (kept[n] && one.type === "textarea" && one.closest("details")) one.closest("details").open = true;
    });
  }
  form.addEventListener("input", () => {
    const now = inputs.map((one) => (["checkbox", "radio"].includes(one.type) ? one.checked : one.value));
    sessionStorage.setItem(draft, JSON.stringify(now));
  });
}

// Several criteria: one of them has the keys

const criteria = [...document.querySelectorAll("fieldset.criterion")];
const answered = (one) => one.querySelector("input:checked") || [...one.querySelectorAll("input[type=number]")].some((n) => n.value);
let active = criteria.find((one) => !answered(one)) || criteria[0] || null;
function activate(one) {
  for (const other of criteria) other.classList.toggle("active", other === one);
  active = one;
  if (one) one.scrollIntoView({ block: "nearest" });
}
if (active) activate(active);
for (const one of criteria) {
  one.addEventListener("focusin", () => activate(one));
  one.addEventListener("change", (event) => {
    if (event.target.type !== "radio") return;
    const open = criteria.find((other) => !answered(other));
    if (open) activate(open);
  });
}

// Panes: the keys of reading, and pairs that scroll together

const panes = [...document.querySelectorAll(".pane .text")];
const pair = [...document.querySelectorAll("[data-pair] .text")];
const long = (pane) => pane.scrollHeight > pane.clientHeight + 2;
let reading = null;
for (const pane of panes) pane.addEventListener("focusin", () => { reading = pane; });
let leading = null;
for (const pane of pair) {
  for (const name of ["wheel", "touchstart", "keydown", "pointerdown", "focusin"]) {
    pane.addEventListener(name, () => { leading = pane; }, { passive: true });
  }
  pane.addEventListener("scroll", () => {
    if (leading && leading !== pane) return;
    const share = pane.scrollTop / Math.max(pane.scrollHeight - pane.clientHeight, 1);
    for (const other of pair) {
      if (other !== pane) other.scrollTop = share * (other.scrollHeight - other.clientHeight);
    }
  });
}
function readOn(back) {
  const open = panes.filter(long);
  const room = (pane) => (back ? pane.scrollTop : pane.scrollHeight - pane.clientHeight - pane.scrollTop);
  const main = pair.filter(long).sort((a, b) => b.scrollHeight - a.scrollHeight)[0];
  let pane = open.includes(reading) ? reading : (main || open[open.length - 1]);
  if (pane && room(pane) < 2 && !pair.includes(pane)) pane = open.find((one) => room(one) >= 2) || pane;
  if (!pane) {
    window.scrollBy({ top: (back ? -0.85 : 0.85) * window.innerHeight });
    return;
  }
  leading = pane;
  reading = pane;
  pane.scrollBy({ top: (back ? -0.85 : 0.85) * pane.clientHeight });
}

// The text raw, or rendered again

const rendered = new Map();
async function raw() {
  for (const pane of panes) {
    if (rendered.has(pane)) {
      pane.replaceChildren(...rendered.get(pane));
      pane.classList.remove("is-raw");
      rendered.delete(pane);
    } else {
      const answer = await fetch(pane.dataset.raw);
      if (!answer.ok) continue;
      rendered.set(pane, [...pane.childNodes]);
      pane.replaceChildren((await answer.text()).slice(0, 200000));
      pane.classList.add("is-raw");
    }
  }
  if (CSS.highlights && CSS.highlights.has("differs")) { CSS.highlights.delete("differs"); differs(); }
}

// What differs between the two answers of a pair: words of one that are not in the other, in order

function words(pane) {
  const walker = document.createTreeWalker(pane, NodeFilter.SHOW_TEXT);
  const found = [];
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    for (const match of node.data.matchAll(/[\p{L}\p{N}_]+|[^\s\p{L}\p{N}_]/gu)) {
      found.push({ node, at: match.index, word: match[0] });
    }
  }
  return found;
}
function uncommon(left, right) {
  let start = 0;
  let endLeft = left.length;
  let endRight = right.length;
  while (start < endLeft && start < endRight && left[start].word === right[start].word) start += 1;
  while (endLeft > start && endRight > start && left[endLeft - 1].word === right[endRight - 1].word) {
    endLeft -= 1;
    endRight -= 1;
  }
  const n = endLeft - start;
  const m = endRight - start;
  if (n * m > 16e6) return [left.slice(start, endLeft), right.slice(start, endRight)];
  const best = Array.from({ length: n + 1 }, () => new Uint16Array(m + 1));
  for (let i = n - 1; i >= 0; i -= 1) {
    for (let j = m - 1; j >= 0; j -= 1) {
      best[i][j] = left[start + i].word === right[start + j].word
        ? best[i + 1][j + 1] + 1 : Math.max(best[i + 1][j], best[i][j + 1]);
    }
  }
  const only = [[], []];
  let i = 0;
  let j = 0;
  while (i < n || j < m) {
    if (i < n && j < m && left[start + i].word === right[start + j].word) { i += 1; j += 1; }
    else if (j >= m || (i < n && best[i + 1][j] >= best[i][j + 1])) { only[0].push(left[start + i]); i += 1; }
    else { only[1].push(right[start + j]); j += 1; }
  }
  return only;
}
function differs() {
  if (pair.length !== 2) return;
  if (!CSS.highlights) { tell("This browser cannot show what differs.", true); return; }
  if (CSS.highlights.has("differs")) { CSS.highlights.delete("differs"); return; }
  const ranges = uncommon(words(pair[0]), words(pair[1])).flat().map(({ node, at, word }) => {
    const range = new Range();
    range.setStart(node, at);
    range.setEnd(node, at + word.length);
    return range;
  });
  CSS.highlights.set("differs", new Highlight(...ranges));
}

// Lists: one case after another

const cases = [...document.querySelectorAll(".case")];
function step(by) {
  const links = cases.map((one) => one.querySelector("a")).filter(Boolean);
  const now = links.indexOf(document.activeElement);
  const next = links[Math.min(Math.max(now < 0 ? 0 : now + by, 0), links.length - 1)];
  if (next) next.focus();
}

// Keys

function choose(key) {
  const escaped = `[data-key="${CSS.escape(key)}"]`;
  const inside = active && active.querySelector(escaped);
  if (inside) return inside;
  return [...document.querySelectorAll(escaped)].find((one) => !one.closest("fieldset.criterion"));
}

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.metaKey || event.isComposing) return;
  if (event.key === "Escape" && typing(document.activeElement)) {
    document.activeElement.blur();
    return;
  }
  const onControl = event.target instanceof Element && event.target.closest("a, button, summary");
  const saves = event.key === "Enter" && form && form.dataset.save !== undefined;
  if (saves && event.target instanceof HTMLTextAreaElement && !event.ctrlKey) return;
  if (saves && !onControl && !event.repeat) {
    event.preventDefault();
    form.requestSubmit(form.querySelector("[data-commit]"));
    return;
  }
  if (event.ctrlKey || typing(event.target)) return;
  const scrolls = { " ": event.shiftKey, PageDown: false, PageUp: true }[event.key];
  if (scrolls !== undefined && panes.length && !(onControl && event.key === " ")) {
    event.preventDefault();
    readOn(scrolls);
    return;
  }
  if (active && ["ArrowDown", "ArrowUp"].includes(event.key) && !panes.includes(event.target)) {
    event.preventDefault();
    const at = criteria.indexOf(active) + (event.key === "ArrowDown" ? 1 : -1);
    if (criteria[at]) { if (document.activeElement) document.activeElement.blur(); activate(criteria[at]); }
    return;
  }
  if (event.repeat) return;
  const key = event.key.toLowerCase();
  if (key === "r" && panes.length) { raw(); return; }
  if (key === "d" && pair.length) { differs(); return; }
  if (cases.length && (key === "j" || key === "k")) { step(key === "j" ? 1 : -1); return; }
  if (cases.length && key === "o" && document.activeElement instanceof HTMLAnchorElement) {
    document.activeElement.click();
    return;
  }
  if (key === "enter" && onControl) return;
  const found = choose(key);
  if (!found) return;
  event.preventDefault();
  if (found.closest("details.comment")) found.closest("details.comment").open = true;
  if (found instanceof HTMLTextAreaElement || ["number", "search"].includes(found.type)) found.focus();
  else if (found instanceof HTMLDetailsElement) found.open = !found.open;
  else found.click();
});

// A page that follows the labels draws itself again when there are new ones; one that takes long to
// make asks first.
const live = document.querySelector("[data-live]");
if (live) {
  const look = async () => {
    try {
      const answer = await fetch("/version", { headers: { accept: "application/json" } });
      if (answer.ok && (await answer.json()).version !== live.dataset.live) {
        const newer = document.getElementById("newer");
        if (!newer) return location.reload();
        newer.hidden = false;
        return;
      }
    } catch { /* the server is away; the page stays as it is */ }
    setTimeout(look, 1500);
  };
  setTimeout(look, 1500);
}

// A page that is still being made asks for itself again.
const again = document.querySelector("[data-again]");
if (again) setTimeout(() => location.reload(), 1000 * Number(again.dataset.again));
