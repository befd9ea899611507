import { act, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ButtonForm } from "./button-form.tsx";
import { ConfirmDialog } from "./confirm-dialog.tsx";

const hidePopover = vi.fn();
beforeEach(() => {
  HTMLElement.prototype.hidePopover = hidePopover;
});
afterEach(() => vi.clearAllMocks());

test("a dialog closes with the answer to what it sent, also where that is a refusal, and not before", async () => {
  let answer = () => {};
  const action = () =>
    new Promise<string>((done) => {
      answer = () => done("refused");
    });
  const element = (
    <ConfirmDialog title="Delete it?" explanation={null} trigger={{ children: "Delete…" }}>
      <ButtonForm name="intent" value="delete">
        Delete
      </ButtonForm>
    </ConfirmDialog>
  );
  render(<RouterProvider router={createMemoryRouter([{ path: "/", element, action }])} />);
  await act(async () => screen.getByRole("button", { name: "Delete", hidden: true }).click());
  expect(hidePopover).not.toHaveBeenCalled();
  await act(async () => answer());
  expect(hidePopover.mock.contexts).toEqual([screen.getByRole("dialog", { hidden: true })]);
});
