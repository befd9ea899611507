import { createEvent, fireEvent, render, screen } from "@testing-library/react";
import { useLayoutEffect } from "react";
import { expect, test, vi } from "vitest";
import { type Shortcuts, useShortcuts } from "./use-shortcuts.ts";

function Page({ shortcuts }: { shortcuts: Shortcuts }) {
  useShortcuts(shortcuts);
  return (
    <>
      <input aria-label="text" />
      <input aria-label="box" type="checkbox" />
      <div role="dialog" aria-label="panel" tabIndex={-1} />
    </>
  );
}

const press = (key: string, init: KeyboardEventInit = {}, target: Element = document.body) =>
  fireEvent.keyDown(target, { key, ...init });

test("a key does what is bound to it, with Shift something else", () => {
  const x = vi.fn();
  const shiftX = vi.fn();
  render(<Page shortcuts={{ x, "Shift+x": shiftX }} />);
  press("x");
  press("X", { shiftKey: true });
  expect(x).toHaveBeenCalledTimes(1);
  expect(shiftX).toHaveBeenCalledTimes(1);
});

test("a sign that needs Shift on the keyboard is named by itself", () => {
  const sheet = vi.fn();
  render(<Page shortcuts={{ "?": sheet }} />);
  press("?", { shiftKey: true });
  expect(sheet).toHaveBeenCalledTimes(1);
});

test("a pair is pressed one after the other, and its second key alone does nothing", () => {
  const go = vi.fn();
  render(<Page shortcuts={{ "g i": go }} />);
  press("i");
  expect(go).not.toHaveBeenCalled();
  press("g");
  press("i");
  expect(go).toHaveBeenCalledTimes(1);
});

test("the second key of a pair is not taken for a key of another part of the page", () => {
  const go = vi.fn();
  const reopen = vi.fn();
  render(
    <>
      <Page shortcuts={{ r: reopen }} />
      <Page shortcuts={{ "g r": go }} />
    </>,
  );
  press("g");
  press("r");
  expect([go.mock.calls.length, reopen.mock.calls.length]).toEqual([1, 0]);
  press("r");
  expect([go.mock.calls.length, reopen.mock.calls.length]).toEqual([1, 1]);
});

test("what counts for a pair is when its keys were pressed, not when a busy page hears of them", () => {
  const go = vi.fn();
  render(<Page shortcuts={{ "g i": go }} />);
  const hear = (key: string, pressedAt: number, heardAt: number) => {
    vi.spyOn(Date, "now").mockReturnValue(heardAt);
    const event = createEvent.keyDown(document.body, { key });
    Object.defineProperty(event, "timeStamp", { value: pressedAt });
    fireEvent(document.body, event);
  };
  hear("g", 1_000, 1_000);
  hear("i", 1_300, 5_000);
  expect(go).toHaveBeenCalledTimes(1);
  hear("g", 10_000, 14_000);
  hear("i", 11_300, 14_000);
  expect(go).toHaveBeenCalledTimes(1);
  vi.restoreAllMocks();
});

test("a key is taken as soon as the page is drawn", () => {
  const j = vi.fn();
  function Early() {
    useLayoutEffect(() => {
      document.body.dispatchEvent(new KeyboardEvent("keydown", { key: "j", bubbles: true }));
    }, []);
    return <Page shortcuts={{ j }} />;
  }
  render(<Early />);
  expect(j).toHaveBeenCalledTimes(1);
});

test("what is typed into a field is left alone, a check box is no field", () => {
  const j = vi.fn();
  render(<Page shortcuts={{ j }} />);
  press("j", {}, screen.getByLabelText("text"));
  expect(j).not.toHaveBeenCalled();
  press("j", {}, screen.getByLabelText("box"));
  expect(j).toHaveBeenCalledTimes(1);
  // Somebody types a name while the content of the panel is on its way.
  press("j", {}, screen.getByLabelText("panel"));
  expect(j).toHaveBeenCalledTimes(1);
});

test("with Ctrl or Cmd it works in fields too, and a bare key is not taken for it", () => {
  const palette = vi.fn();
  const k = vi.fn();
  render(<Page shortcuts={{ "mod+k": palette, k }} />);
  press("k", { ctrlKey: true }, screen.getByLabelText("text"));
  press("k", { metaKey: true });
  expect(palette).toHaveBeenCalledTimes(2);
  expect(k).not.toHaveBeenCalled();
});

test("a shortcut that returns false leaves the key to the browser", () => {
  render(<Page shortcuts={{ a: () => false, b: () => undefined }} />);
  expect(press("a")).toBe(true);
  expect(press("b")).toBe(false);
});
