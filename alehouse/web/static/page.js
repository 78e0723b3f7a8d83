"use strict";
// Keeps the part of the page that changes up to date, and sends answers: from the list, from the picture, and from the keyboard.

const PART = { "x-part": "1" };
const menu = document.getElementById("menu");
const notice = document.getElementById("notice");
let sending = false;
let timer = 0;

const area = () => document.querySelector("[data-poll]");

function say(text, kind) {
  notice.textContent = text;
  notice.className = kind || "";
  notice.hidden = !text;
  if (kind === "refused") setTimeout(() => { if (notice.textContent === text) notice.hidden = true; }, 6000);
}

// What has the focus, as a selector that finds it again in the new part.
function focused(part) {
  const on = document.activeElement;
  if (!on || !part.contains(on)) return "";
  if (on.dataset.action) return `[data-action="${on.dataset.action}"]`;
  return on.name === "action" ? `button[value="${on.value}"]` : "";
}

function replace(old, text) {
  const fresh = new DOMParser().parseFromString(text, "text/html").querySelector("[data-poll]");
  if (!fresh) return;
  const board = old.querySelector(".board");
  const seen = board ? [board.scrollLeft, board.scrollTop] : [0, 0];
  const again = focused(old);
  const open = [...old.querySelectorAll("details")].map((one) => one.open);
  fresh.classList.toggle("zoomed", old.classList.contains("zoomed"));
  if (fresh.dataset.version !== old.dataset.version) menu.close();
  old.replaceWith(fresh);
  fresh.querySelectorAll("details").forEach((one, k) => { if (k in open) one.open = open[k]; });
  const now = fresh.querySelector(".board");
  if (now) [now.scrollLeft, now.scrollTop] = seen;
  if (again) fresh.querySelector(again)?.focus({ preventScroll: true });
  dress(fresh);
}

// Marks the best answers of a hint in the picture, and brings something to click into sight if nothing of the kind is.
function dress(part) {
  if (!part.matches(".table")) return;
  const board = part.querySelector(".board");
  const things = [...part.querySelectorAll(".board [data-action]")];
  if (things.length && document.querySelector("form.options")) {
    const frame = board.getBoundingClientRect();
    const seen = (box) => box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom;
    const boxes = things.map((one) => one.getBoundingClientRect());
    if (!boxes.some(seen)) board.scrollBy(boxes[0].left - frame.left - 20, boxes[0].top - frame.top - 20);
  }
  for (const best of part.dataset.best.split(" ").filter(Boolean)) {
    part.querySelectorAll(`.board [data-action~="${best}"]`).forEach((one) => one.classList.add("best"));
  }
}

async function poll() {
  const here = area();
  if (here?.dataset.every && !sending && !document.hidden) {
    try {
      const answer = await fetch(`${here.dataset.poll}?seen=${encodeURIComponent(here.dataset.seen)}`, { headers: PART });
      if (here === area() && !sending) {
        if (answer.status === 200) replace(here, await answer.text());
        else if (answer.status !== 204) say((await answer.text()).trim(), "lasting");
        if (answer.ok && notice.className === "lasting") say("");
      }
    } catch {
      say("The server does not answer. Nothing is lost: start `alehouse serve` again and open the address that it prints.", "lasting");
    }
  }
  wait();
}

function wait() {
  clearTimeout(timer);
  const here = area();
  if (here?.dataset.every) timer = setTimeout(poll, Number(here.dataset.every));
}

// A form that has a field of the name "action" hides its own address behind it, so the attribute is read.
async function send(address, fields) {
  if (sending) return;
  sending = true;
  menu.close();
  document.body.classList.add("sending");
  try {
    const answer = await fetch(address, { method: "POST", headers: PART, body: new URLSearchParams(fields) });
    const text = await answer.text();
    if (answer.ok) {
      say("");
      replace(area(), text);
    } else {
      say(text.trim(), "refused");
      if (answer.status === 409) area().dataset.seen = "";
    }
  } catch {
    say("The server does not answer. Your answer was perhaps not received; look at the table when it is back.", "lasting");
  }
  sending = false;
  document.body.classList.remove("sending");
  clearTimeout(timer);
  timer = setTimeout(poll, 150);
}

function give(action) {
  const form = document.querySelector("form.options");
  if (form) send(form.getAttribute("action"), { version: form.elements.version.value, action });
}

// Offers several answers that concern one thing.
function choose(actions) {
  const known = actions.map((action) => document.querySelector(`form.options button[value="${action}"]`)).filter(Boolean);
  if (known.length < 2) {
    if (known.length) give(known[0].value);
    return;
  }
  menu.replaceChildren(...known.map((one) => {
    const copy = one.cloneNode(true);
    copy.type = "button";
    copy.addEventListener("click", () => give(one.value));
    return copy;
  }));
  const leave = document.createElement("button");
  leave.textContent = "None of these";
  leave.className = "leave";
  leave.addEventListener("click", () => menu.close());
  menu.append(leave);
  menu.showModal();
}

function lit(action, on) {
  area()?.querySelectorAll(`.board [data-action~="${action}"]`).forEach((one) => one.classList.toggle("lit", on));
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (form.method !== "post" || !form.closest("[data-poll]")) return;
  event.preventDefault();
  send(form.getAttribute("action"), new FormData(form, event.submitter));
});

document.addEventListener("click", (event) => {
  const thing = event.target.closest(".board [data-action]");
  if (thing && document.querySelector("form.options")) choose(thing.dataset.action.split(" "));
  if (event.target.closest("[data-zoom]")) area().classList.toggle("zoomed");
  if (event.target === menu) menu.close();
  const step = event.target.closest("[data-step]");
  if (step) {
    const range = step.closest("form").elements.move;
    range.value = Number(range.value) + Number(step.dataset.step);
    frame(range);
  }
});

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, select, textarea")) return;
  const thing = event.target.closest(".board [data-action]");
  if (thing && (event.key === "Enter" || event.key === " ")) {
    event.preventDefault();
    choose(thing.dataset.action.split(" "));
  }
  const tool = { h: '[action$="/hint"] button', u: '[action$="/undo"] button', z: "[data-zoom]" }[event.key];
  if (tool && !menu.open) document.querySelector(tool)?.click();
});

for (const [name, on] of [["mouseover", true], ["mouseout", false], ["focusin", true], ["focusout", false]]) {
  document.addEventListener(name, (event) => {
    const button = event.target.closest?.('button[name="action"]');
    if (button) lit(button.value, on);
  });
}

// The slider of a replay: shows the latest move asked for, one request at a time.
let framing = false;
async function frame(range) {
  if (framing) return;
  framing = true;
  let shown = null;
  while (shown !== range.value) {
    shown = range.value;
    const answer = await fetch(`${range.form.dataset.frames}?move=${shown}`, { headers: PART }).catch(() => null);
    if (!answer?.ok) {
      say(answer ? (await answer.text()).trim() : "The server does not answer.", "refused");
      break;
    }
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html").getElementById("frame");
    document.getElementById("frame").replaceWith(fresh);
  }
  framing = false;
}
document.addEventListener("input", (event) => {
  if (event.target.form?.dataset.frames) frame(event.target);
});

// A new match: as many players as seats, and each module with the one it needs.
function setup(form) {
  const seats = Number(new FormData(form).get("seats"));
  form.querySelectorAll("[data-seat]").forEach((row) => { row.hidden = Number(row.dataset.seat) >= seats; });
}
document.addEventListener("change", (event) => {
  const form = event.target.closest("form.setup");
  if (!form) return;
  setup(form);
  const box = event.target;
  const boxes = [...form.querySelectorAll("[name=module]")];
  if (box.name === "module" && box.checked && box.dataset.needs) {
    const needed = boxes.find((one) => one.value === box.dataset.needs);
    if (!needed.checked) needed.click();
  }
  if (box.name === "module" && !box.checked) boxes.filter((one) => one.checked && one.dataset.needs === box.value).forEach((one) => one.click());
});

document.querySelectorAll("form.setup").forEach(setup);
if (area()) {
  dress(area());
  wait();
  document.addEventListener("visibilitychange", () => { if (!document.hidden) poll(); });
}
