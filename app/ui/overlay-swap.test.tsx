import { act, fireEvent, render, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";
import { OverlaySwap } from "./overlay-swap.tsx";

const Overlay = () => <p>what opened</p>;

/** A panel whose code comes when the test says so. */
function show() {
  const code = Promise.withResolvers<{ default: typeof Overlay }>();
  render(
    <>
      <OverlaySwap load={() => code.promise} overlayProps={{}} triggerClassName="" trigger="More">
        <p>before script</p>
      </OverlaySwap>
      <button type="button">Elsewhere</button>
    </>,
  );
  return {
    press: () => fireEvent.click(screen.getByText("More")),
    // Until effects have run, keys are still taken.
    bring: () => act(async () => code.resolve({ default: Overlay })),
  };
}

test("what is pressed opens when its code has come", async () => {
  const { press, bring } = show();
  press();
  await bring();
  await screen.findByText("what opened");
});

test.each([
  ["presses elsewhere", () => fireEvent.pointerDown(screen.getByRole("button"))],
  ["goes elsewhere by Tab", () => fireEvent.keyDown(document.body, { key: "Tab" })],
  ["takes it back by Escape", () => fireEvent.keyDown(document.body, { key: "Escape" })],
])("it does not open late on somebody who %s meanwhile, and does at the next press", async (_, turnAway) => {
  const { press, bring } = show();
  press();
  turnAway();
  await bring();
  // Lets the event loop turn once, after which the arrival of the code would have had its effect.
  await new Promise((done) => setTimeout(done));
  expect(screen.queryByText("what opened")).toBeNull();
  press();
  await waitFor(() => expect(screen.queryByText("what opened")).not.toBeNull());
});

test("Escape belongs to the panel that is on its way, not to the page behind it", async () => {
  const { press, bring } = show();
  const isForThePage = () => fireEvent.keyDown(document.body, { key: "Escape" });
  press();
  // `fireEvent` returns false if a listener has taken the key.
  expect(isForThePage()).toBe(false);
  expect(isForThePage()).toBe(true);
  await bring();
  await act(async () => void press());
  screen.getByText("what opened");
  // The open panel has its own listeners.
  expect(isForThePage()).toBe(true);
});

test("a name that is typed while the panel is on its way is no key of the page", async () => {
  const { press, bring } = show();
  const isForThePage = (key: string, init = {}) => fireEvent.keyDown(document.body, { key, ...init });
  expect(isForThePage("m")).toBe(true);
  press();
  expect(isForThePage("m")).toBe(false);
  expect(isForThePage("k", { ctrlKey: true })).toBe(true);
  await bring();
  await screen.findByText("what opened");
  expect(isForThePage("m")).toBe(true);
});

test("a panel that closes and gives the focus back does not keep the next one from opening", async () => {
  const { press, bring } = show();
  press();
  fireEvent.focusIn(screen.getByRole("button"), { relatedTarget: screen.getByText("More") });
  await bring();
  await screen.findByText("what opened");
});
