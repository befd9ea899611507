import { expect, test } from "vitest";
import { listPageActions, listSelectionActions } from "./page-actions.ts";

test("the buttons and links of a page are its actions, in one order, and are pressed", () => {
  document.body.innerHTML = `<article>
    <a href="#next" data-shortcut="]" aria-label="Next event"><svg></svg></a>
    <button type="button" data-shortcut="e"><svg></svg> Resolve </button>
    <button type="button" data-shortcut="n">not one of them</button>
    <textarea aria-label="Add a comment" data-focus="c"></textarea>
    <a hidden href="#share" data-command="Share by a link…"></a>
  </article>`;
  const pressed: string[] = [];
  document.body.addEventListener("click", (event) => pressed.push((event.target as Element).tagName));
  const actions = listPageActions(document.querySelector("article"));
  expect(actions.map(({ label, shortcut }) => [label, shortcut])).toEqual([
    ["Resolve", "e"],
    ["Add a comment", "c"],
    ["Next event", "]"],
    ["Share by a link…", null],
  ]);
  for (const { act } of actions) act();
  expect(pressed).toEqual(["BUTTON", "A", "A"]);
  expect(document.activeElement?.tagName).toBe("TEXTAREA");
  expect(listPageActions(null)).toEqual([]);
});

test("an action presses the new element after the page was drawn again", () => {
  document.body.innerHTML = `<article><button type="button" data-shortcut="e">Resolve</button></article>`;
  const article = document.querySelector("article");
  const [action] = listPageActions(article);
  const pressed: string[] = [];
  if (article) article.innerHTML = `<button type="button" id="new" data-shortcut="e">Resolve</button>`;
  document.body.addEventListener("click", (event) => pressed.push((event.target as Element).id), { once: true });
  action?.act();
  expect(pressed).toEqual(["new"]);
});

test("the list acts on what is selected, else on the row with the focus, which is selected then", async () => {
  document.body.innerHTML = `<form>
    <fieldset class="issue-bulk">
      <button type="button" value="resolve">Resolve</button>
      <span class="needs-script"><details><summary data-shortcut="p">Priority</summary><button>High</button></details></span>
      <div popover><button>Delete</button></div>
    </fieldset>
    <table><tr data-issue="1"><td><input type="checkbox" name="issue" value="1"><a href="#1">One</a></td></tr></table>
  </form>`;
  const list = document.querySelector("form");
  const link = document.querySelector("a");
  const box = document.querySelector("input");
  const pressed: string[] = [];
  document.body.addEventListener("click", (event) => pressed.push((event.target as Element).tagName));
  expect(listSelectionActions(list, document.body)).toEqual([]);
  const actions = listSelectionActions(list, link);
  expect(actions.map(({ label, shortcut }) => [label, shortcut])).toEqual([
    ["Resolve: this issue", null],
    ["Priority: this issue", "p"],
  ]);
  actions[1]?.act();
  expect(box?.checked).toBe(true);
  await new Promise(requestAnimationFrame);
  expect(pressed).toEqual(["INPUT", "SUMMARY"]);
  expect(listSelectionActions(list, document.body)[0]?.label).toBe("Resolve: 1 selected");
});
