import { act, fireEvent, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ButtonForm } from "./button-form.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";

const hidePopover = vi.fn();
beforeEach(() => {
  HTMLElement.prototype.hidePopover = hidePopover;
});
afterEach(() => vi.clearAllMocks());

/** A page with the dialog, and a form that has nothing to do with it. */
function show() {
  const answer = Promise.withResolvers<string>();
  const element = (
    <>
      <ConfirmDialog title="Delete it?" explanation={null} trigger={{ children: "Delete…" }}>
        <ButtonForm name="intent" value="delete">
          Delete
        </ButtonForm>
      </ConfirmDialog>
      <ButtonForm name="intent" value="rename">
        Rename
      </ButtonForm>
    </>
  );
  render(<RouterProvider router={createMemoryRouter([{ path: "/", element, action: () => answer.promise }])} />);
  const dialog = screen.getByRole("dialog", { hidden: true });
  let isOpen = false;
  // jsdom opens no popovers.
  vi.spyOn(dialog, "matches").mockImplementation((selector) => selector === ":popover-open" && isOpen);
  return {
    dialog,
    open: () => {
      isOpen = true;
    },
    press: (name: string) => act(async () => screen.getByRole("button", { name, hidden: true }).click()),
    answer: () => act(async () => answer.resolve("refused")),
  };
}

test("a dialog closes with the answer to what it sent, also where that is a refusal, and not before", async () => {
  const { dialog, open, press, answer } = show();
  open();
  await press("Delete");
  expect(hidePopover).not.toHaveBeenCalled();
  await answer();
  expect(hidePopover.mock.contexts).toEqual([dialog]);
});

test("a dialog that is opened while something else is being sent stays open when that is answered", async () => {
  const { open, press, answer } = show();
  await press("Rename");
  open();
  await answer();
  expect(hidePopover).not.toHaveBeenCalled();
});

test("a dialog closes when the focus goes elsewhere, and not when it moves inside or leaves the window", () => {
  const { dialog } = show();
  const [keep, remove] = dialog.querySelectorAll("button");
  if (!keep || !remove) throw new Error("no buttons");
  fireEvent.focusOut(keep, { relatedTarget: remove });
  fireEvent.focusOut(remove, { relatedTarget: null });
  expect(hidePopover).not.toHaveBeenCalled();
  fireEvent.focusOut(remove, { relatedTarget: screen.getByRole("button", { name: "Rename" }) });
  expect(hidePopover.mock.contexts).toEqual([dialog]);
});
