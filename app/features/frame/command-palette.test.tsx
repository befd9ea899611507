import { act, fireEvent, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeAll, beforeEach, expect, test, vi } from "vitest";
import CommandList from "./command-list.tsx";
import { CommandPalette } from "./command-palette.tsx";

beforeAll(() => {
  // jsdom has no modal dialogs and no scrolling.
  HTMLDialogElement.prototype.showModal = function () {
    this.open = true;
  };
  HTMLDialogElement.prototype.close = function () {
    this.open = false;
  };
  Element.prototype.scrollIntoView = () => undefined;
});
beforeEach(() => vi.stubGlobal("fetch", async () => Response.json([])));
afterEach(() => vi.unstubAllGlobals());

/** The palette on a page, before its list has come. */
function open() {
  const list = Promise.withResolvers<typeof CommandList>();
  const onClose = vi.fn();
  const loadList = () => list.promise;
  const page = <CommandPalette projects={[]} views={[]} onClose={onClose} loadList={loadList} />;
  const router = createMemoryRouter([{ path: "*", element: page }], { initialEntries: ["/issues"] });
  render(<RouterProvider router={router} />);
  const field = screen.getByRole("combobox", { hidden: true });
  return { ...list, router, onClose, field };
}

test("what was typed and pressed before the list came counts", async () => {
  const { field, resolve, router, onClose } = open();
  fireEvent.change(field, { target: { value: "set" } });
  for (const key of ["ArrowDown", "ArrowDown", "ArrowUp", "ArrowUp", "Enter"]) fireEvent.keyDown(field, { key });
  expect(onClose).not.toHaveBeenCalled();
  await act(async () => resolve(CommandList));
  expect(router.state.location.pathname).toBe("/settings");
  expect(onClose).toHaveBeenCalledTimes(1);
});

test("keys choose from the list as soon as it is drawn", async () => {
  const { field, resolve, router } = open();
  fireEvent.keyDown(field, { key: "ArrowDown" });
  await act(async () => resolve(CommandList));
  const chosen = () => screen.getByRole("option", { selected: true, hidden: true });
  expect(chosen().textContent).toBe("IssuesPage");
  expect(field.getAttribute("aria-activedescendant")).toBe(chosen().id);
  fireEvent.keyDown(field, { key: "ArrowDown" });
  expect(chosen().textContent).toBe("TracesPage");
  fireEvent.keyDown(field, { key: "Enter" });
  expect(router.state.location.pathname).toBe("/traces");
});

test("a list that does not come is said, and the field stays", async () => {
  const { field, reject } = open();
  await act(async () => reject(new TypeError("Failed to fetch")));
  expect(screen.getByRole("alert", { hidden: true }).textContent).toContain("The list did not arrive.");
  expect(field.isConnected).toBe(true);
});

test.each([
  ["Not searched: you are signed out", async () => new Response(null, { status: 401 })],
  ["Not searched: no answer from the server", async () => Promise.reject(new TypeError("Failed to fetch"))],
])("what the server could not be asked for is said: %s", async (words, fetch) => {
  vi.stubGlobal("fetch", fetch);
  const { field, resolve } = open();
  await act(async () => resolve(CommandList));
  fireEvent.change(field, { target: { value: "SHOP-1" } });
  expect(await screen.findByRole("option", { name: new RegExp(words), hidden: true })).toBeTruthy();
});
