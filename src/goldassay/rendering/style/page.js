"use strict";
(() => {
  const $ = (selector, root = document) => [...root.querySelectorAll(selector)];
  const make = (tag, properties, ...children) => {
    const element = Object.assign(document.createElement(tag), properties);
    element.append(...children);
    return element;
  };
  const said = make("p", { className: "live", role: "status" });
  document.body.append(said);
  const tell = (text) => { said.textContent = text; };
  const copy = async (text) => {
    try { await navigator.clipboard.writeText(text); tell("Copied."); }
    catch { tell("This browser does not let a page copy; select the text instead."); }
  };
  const button = (text, act, label) => {
    const made = make("button", { type: "button", textContent: text });
    if (label) made.setAttribute("aria-label", label);
    made.addEventListener("click", act);
    return made;
  };

  // Sentences that may be written: copy them as they are.
  for (const item of $(".may > ul > li")) {
    item.append(" ", button("copy", () => copy(item.firstElementChild.textContent.replace(/[“”]/g, "")), "Copy this sentence"));
  }

  // The numbers of a cell, and its text without what opens beside it.
  const plain = (cell) => {
    const bare = cell.cloneNode(true);
    $(".about, svg, button", bare).forEach((one) => one.remove());
    return bare.textContent.replace(/\s+/g, " ").trim();
  };
  const amount = (text) => {
    const found = text.replace(/,/g, "").match(/-?\d+(\.\d+)?/);
    return found ? Number(found[0]) : NaN;
  };

  // Tables: sort by a column, save as CSV.
  const quoted = (text) => {
    const safe = /^[=+\-@\t]/.test(text) && Number.isNaN(Number(text)) ? `'${text}` : text;
    return /[",\n]/.test(safe) ? `"${safe.replace(/"/g, '""')}"` : safe;
  };
  for (const table of $("main table")) {
    const body = table.tBodies[0];
    $("thead th", table).forEach((head) => {
      const column = head.cellIndex;
      const sort = button("↕", () => {
        const down = head.getAttribute("aria-sort") !== "descending";
        $("th", table.tHead).forEach((one) => one.removeAttribute("aria-sort"));
        head.setAttribute("aria-sort", down ? "descending" : "ascending");
        const keyed = [...body.rows].map((row) => [plain(row.cells[column]), row]);
        const numeric = keyed.every(([text]) => text === "" || !Number.isNaN(amount(text)));
        keyed.sort(([a], [b]) => (numeric ? (amount(b) || 0) - (amount(a) || 0) : b.localeCompare(a)));
        if (!down) keyed.reverse();
        body.append(...keyed.map(([, row]) => row));
      }, `Sort by ${plain(head)}`);
      sort.className = "sort";
      head.append("\u00a0", sort);
    });
    const save = button("CSV", () => {
      const lines = [...table.rows].map((row) => [...row.cells].map((cell) => quoted(plain(cell))).join(","));
      const link = make("a", { download: "table.csv", href: URL.createObjectURL(new Blob([lines.join("\n") + "\n"], { type: "text/csv" })) });
      link.click();
      URL.revokeObjectURL(link.href);
    }, "Save this table as CSV");
    save.className = "csv";
    (table.closest(".scroll") || table).after(save);
  }

  // Judges: find some of them, keep some on top.
  const judged = $("tr[data-name]");
  const rail = document.querySelector(".rail");
  const names = [...new Set(judged.map((row) => row.dataset.name))];
  if (rail && names.length > 3) {
    const field = make("input", { type: "search", placeholder: "Find a judge or system" });
    field.setAttribute("aria-label", "Find a judge or system");
    field.addEventListener("input", () => {
      const wanted = field.value.toLowerCase();
      judged.forEach((row) => { row.hidden = !row.dataset.name.toLowerCase().includes(wanted) && !row.classList.contains("pinned"); });
      $("details.rest").forEach((rest) => { rest.open = wanted !== ""; });
      tell(wanted ? `${names.filter((name) => name.toLowerCase().includes(wanted)).length} found` : "");
    });
    rail.append(field);
    for (const row of judged) {
      const pin = button("☆", () => {
        const on = !row.classList.contains("pinned");
        judged.filter((one) => one.dataset.name === row.dataset.name).forEach((one) => {
          one.classList.toggle("pinned", on);
          const mark = one.querySelector(".pin");
          mark.textContent = on ? "★" : "☆";
          mark.setAttribute("aria-pressed", String(on));
          if (on) one.closest("section").querySelector("table[data-summary] tbody")?.prepend(one);
        });
      }, `Keep ${row.dataset.name} on top`);
      pin.className = "pin";
      pin.setAttribute("aria-pressed", "false");
      row.cells[0].append(" ", pin);
    }
  }

  // Charts: what stands under the pointer, the finger or the focus.
  const readout = make("div", { className: "readout", hidden: true });
  document.body.append(readout);
  const show = (mark) => {
    const title = mark.querySelector(":scope > title");
    const text = title ? title.textContent : mark.dataset.tip;
    if (!text) return;
    if (title) { mark.dataset.tip = text; title.remove(); mark.setAttribute("aria-label", text); }
    readout.textContent = text;
    readout.hidden = false;
    const box = mark.getBoundingClientRect();
    const left = Math.min(Math.max(8, box.left + box.width / 2 - readout.offsetWidth / 2), innerWidth - readout.offsetWidth - 8);
    readout.style.setProperty("left", `${left + scrollX}px`);
    readout.style.setProperty("top", `${box.top + scrollY - readout.offsetHeight - 8}px`);
  };
  const marked = (event) => event.target.closest && event.target.closest("svg .mark, svg .bar, svg .ring, svg .box, svg rect, svg path");
  for (const kind of ["pointerover", "touchstart"]) {
    document.addEventListener(kind, (event) => { const mark = marked(event); if (mark) show(mark); else readout.hidden = true; }, { passive: true });
  }
  for (const drawing of $("figure svg, .card svg")) {
    let at = -1;
    drawing.setAttribute("tabindex", "0");
    drawing.addEventListener("blur", () => { readout.hidden = true; });
    drawing.addEventListener("keydown", (event) => {
      const step = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
      const marks = $(".mark, .ring", drawing);
      if (!step || !marks.length) return;
      event.preventDefault();
      at = (at + step + marks.length) % marks.length;
      show(marks[at]);
      tell(readout.textContent);
    });
  }

  // A link to how a number was made opens it beside the link; the way back is to close it.
  let beside = null;
  const fit = (about, by) => {
    about.classList.add("free"); // of the table that scrolls, and would cut it off
    const box = by.getBoundingClientRect();
    const top = Math.max(8, Math.min(box.bottom + 4, innerHeight - about.offsetHeight - 8));
    about.style.setProperty("left", `${Math.max(8, Math.min(box.left, innerWidth - about.offsetWidth - 8))}px`);
    about.style.setProperty("top", `${top}px`);
  };
  const shut = () => {
    if (!beside) return;
    const by = beside.by;
    beside.remove();
    beside = null;
    by.focus({ preventScroll: true });
  };
  const open = (by, place, ...told) => {
    shut();
    beside = make("span", { className: "about beside", by }, ...told, button("close", shut));
    place.append(beside);
    fit(beside, by);
    beside.lastChild.focus({ preventScroll: true });
  };
  const told = (made) => make("ul", {}, ...(made.tagName === "LI" ? [make("li", {}, ...made.cloneNode(true).childNodes)] : made.cloneNode(true).children));
  document.addEventListener("click", (event) => {
    const link = event.target.closest('a[href^="#how-"], a[href^="#way-"]');
    const made = link && document.getElementById(link.hash.slice(1));
    if (!made || !["UL", "LI"].includes(made.tagName) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    if (link.closest(".beside")) link.replaceWith(told(made)); else open(link, link.parentElement, told(made));
  });

  // A number of a table opens the way it was made in; from the keyboard the links below it do.
  document.addEventListener("click", (event) => {
    const cell = event.target.closest("table[data-way] td.n, table[data-way] td[data-way]");
    if (!cell || event.target.closest("a, button, .number, .about") || !plain(cell)) return;
    const [row, table] = [cell.parentElement, cell.closest("table")];
    const heads = [row.cells[0], table.tHead.rows[0].cells[cell.cellIndex]];
    const way = [cell, heads[1], row, table].map((one) => one.dataset.way).find(Boolean);
    const list = told(document.getElementById(`way-${way}`));
    const named = heads.map((one) => one.querySelector('a[href^="#how-"]')).find(Boolean);
    const means = named && document.querySelector(`[id="${named.hash.slice(1)}"] > li`);
    const command = cell.closest("section").querySelector(".more > pre");
    const line = (word, text) => make("li", {}, make("b", { textContent: word }), ` ${text}`);
    list.prepend(line("about", heads.map(plain).join(", ")), means ? means.cloneNode(true) : "");
    if (command) list.append(line("command", command.textContent));
    cell.tabIndex = -1;
    open(cell, cell, list);
  });

  // What opens beside a number closes with Escape or a click elsewhere, or by its button.
  for (const one of $("details.number")) {
    one.addEventListener("toggle", () => {
      const about = one.querySelector(".about");
      if (!one.open) return;
      fit(about, one);
      if (!about.querySelector("button")) about.append(make("li", {}, button("close", () => { one.open = false; one.querySelector("summary").focus(); })));
    });
  }
  document.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    readout.hidden = true;
    shut();
    $("details.number[open]").forEach((one) => { one.open = false; one.querySelector("summary").focus(); });
  });
  const away = (by) => { const box = by.getBoundingClientRect(); return box.bottom < 0 || box.top > innerHeight; };
  addEventListener("scroll", () => {
    if (beside) { if (away(beside.by)) shut(); else fit(beside, beside.by); }
    $("details.number[open]").forEach((one) => { if (away(one)) one.open = false; else fit(one.querySelector(".about"), one); });
  }, { passive: true });
  document.addEventListener("click", (event) => {
    $("details.number[open]").forEach((one) => { if (!one.contains(event.target)) one.open = false; });
  });

  // Paper: four pages, or everything.
  const header = document.querySelector("header");
  const tools = make("p", { className: "tools" });
  tools.append(button("Print", () => print()), " ", button("Print with appendix", () => {
    const shut = $("details:not([open])").filter((one) => !one.matches(".number"));
    shut.forEach((one) => { one.open = true; });
    print();
    shut.forEach((one) => { one.open = false; });
  }));
  header.append(tools);

  // The rail shows where one is.
  const links = new Map($(".rail a").map((link) => [link.hash.slice(1), link]));
  const seen = new IntersectionObserver((entries) => entries.forEach((entry) => {
    const link = links.get(entry.target.id);
    if (link && entry.isIntersecting) {
      links.forEach((one) => one.removeAttribute("aria-current"));
      link.setAttribute("aria-current", "true");
    }
  }), { rootMargin: "-20% 0px -70% 0px" });
  $("main section[id]").forEach((section) => seen.observe(section));
})();
