import { cleanup, createEvent, fireEvent, render, screen } from "@testing-library/react";
import { act, useRef } from "react";
import { afterEach, expect, test, vi } from "vitest";
import SearchCompletion, { type SearchCompletionControls } from "./search-completion.tsx";

// The DOM of tests has no layout.
Element.prototype.scrollIntoView = () => {};

function Field({ about }: { about: "issues" | "logs" }) {
  const field = useRef<HTMLInputElement>(null);
  const controls = useRef<SearchCompletionControls>(null);
  return (
    <div>
      <input
        ref={field}
        aria-label="Search"
        onInput={() => controls.current?.open()}
        onKeyDown={(event) => controls.current?.onKeyDown(event)}
      />
      <SearchCompletion
        controls={controls}
        field={field}
        isWanted={{ current: false }}
        listId="list"
        subject={{ about, projects: [], environments: [] }}
        onChange={() => {}}
        onPicked={() => {}}
      />
    </div>
  );
}

function type(text: string, about: "issues" | "logs" = "issues"): HTMLInputElement {
  render(<Field about={about} />);
  const input = screen.getByRole<HTMLInputElement>("textbox", { name: "Search" });
  act(() => input.focus());
  fireEvent.input(input, { target: { value: text } });
  return input;
}

/** Whether the field kept the key from the browser. */
function press(input: HTMLInputElement, init: { key: string; shiftKey?: boolean }): boolean {
  const event = createEvent.keyDown(input, init);
  fireEvent(input, event);
  return event.defaultPrevented;
}

afterEach(() => {
  cleanup();
  vi.unstubAllGlobals();
});

test("numbers beside suggestions say what they are of", async () => {
  const values = [{ value: "Plan", counted: { count: 7, of: "lines" } }];
  vi.stubGlobal("fetch", async () => Response.json({ values, isAll: true }));
  type("pla", "logs");
  expect(screen.queryByText(/Counts are/)).toBeNull();
  expect((await screen.findByRole("option", { name: /Plan/ })).textContent).toContain("7 lines");
  expect(screen.getByText(/Counts are of the last 14 days\./)).toBeDefined();
});

test("Tab takes what an arrow key has chosen, like Enter, and leaves the field otherwise", () => {
  for (const key of ["Tab", "Enter"]) {
    const input = type("lev");
    expect(press(input, { key: "ArrowDown" })).toBe(true);
    expect(press(input, { key })).toBe(true);
    expect(input.value).toBe("level:");
    expect(screen.getAllByRole("option")).toHaveLength(5);
    expect(press(input, { key: "Tab" })).toBe(false);
    expect(screen.queryByRole("listbox")).toBeNull();
    cleanup();
  }
  const input = type("lev");
  press(input, { key: "ArrowDown" });
  expect(press(input, { key: "Tab", shiftKey: true })).toBe(false);
  expect(input.value).toBe("lev");
});
