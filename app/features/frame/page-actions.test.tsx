import { expect, test } from "vitest";
import { listPageActions } from "./page-actions.ts";

test("the buttons and links of a page are its actions, in one order, and are pressed", () => {
  document.body.innerHTML = `<article>
    <a href="#next" data-shortcut="]" aria-label="Next event"><svg></svg></a>
    <button type="button" data-shortcut="e"><svg></svg> Resolve </button>
    <button type="button" data-shortcut="n">not one of them</button>
  </article>`;
  const pressed: string[] = [];
  document.body.addEventListener("click", (event) => pressed.push((event.target as Element).tagName));
  const actions = listPageActions(document.querySelector("article"));
  expect(actions.map(({ label, shortcut }) => [label, shortcut])).toEqual([
    ["Resolve", "e"],
    ["Next event", "]"],
  ]);
  actions[0]?.act();
  expect(pressed).toEqual(["BUTTON"]);
  expect(listPageActions(null)).toEqual([]);
});
