"use strict";
// The theme wraps tables that are wider than the page; keys reach and scroll them too.
const reachable = () => {
  for (const one of document.querySelectorAll(".md-typeset__scrollwrap, .md-typeset p:has(> img[src$='.svg'])")) {
    if (one.scrollWidth <= one.clientWidth) continue;
    one.tabIndex = 0;
    one.setAttribute("role", "group");
    one.setAttribute("aria-label", "Scrolls sideways");
  }
};
addEventListener("load", reachable);
addEventListener("resize", reachable);
