"use strict";
// Keys for what the page can do without this script; a label that could not be sent is kept.

const form = document.getElementById("label");
const notice = document.getElementById("notice");
const typing = (element) =>
  element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement ||
  (element instanceof HTMLInputElement && !["checkbox", "radio"].includes(element.type));

function tell(message, bad) {
  notice.textContent = message;
  notice.className = bad ? "note bad" : "note";
  notice.hidden = false;
}

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
        if (draft) sessionStorage.removeItem(draft);
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

const comment = form && form.elements.namedItem("comment");
const draft = form && `goldassay-draft-${form.dataset.unit}`;
if (comment) {
  comment.value = comment.value || sessionStorage.getItem(draft) || "";
  comment.addEventListener("input", () => sessionStorage.setItem(draft, comment.value));
}

for (const target of document.querySelectorAll("form[method=post]")) {
  target.addEventListener("submit", (event) => {
    event.preventDefault();
    send(target, event.submitter);
  });
}

document.addEventListener("keydown", (event) => {
  if (event.altKey || event.metaKey || event.isComposing || event.repeat) return;
  if (event.key === "Escape" && typing(document.activeElement)) {
    document.activeElement.blur();
    return;
  }
  const saves = event.key === "Enter" && form && form.dataset.save !== undefined;
  if (saves && event.target === comment && !event.ctrlKey) return;
  if (saves && !(event.target instanceof HTMLAnchorElement || event.target instanceof HTMLButtonElement
    || event.target.closest("summary"))) {
    event.preventDefault();
    form.requestSubmit(form.querySelector("[data-commit]"));
    return;
  }
  if (event.ctrlKey || typing(event.target)) return;
  const found = document.querySelector(`[data-key="${CSS.escape(event.key.toLowerCase())}"]`);
  if (!found) return;
  event.preventDefault();
  if (found instanceof HTMLTextAreaElement || found.type === "number") found.focus();
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
