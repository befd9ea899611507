import { cleanup, createEvent, fireEvent, render, screen } from "@testing-library/react";
import { act, useRef } from "react";
import { expect, test } from "vitest";
import SearchCompletion, { type SearchCompletionControls } from "./search-completion.tsx";

// The DOM of tests has no layout.
Element.prototype.scrollIntoView = () => {};

function Field() {
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
        subject={{ about: "issues", projects: [], environments: [] }}
        onChange={() => {}}
        onPicked={() => {}}
      />
    </div>
  );
}

function type(text: string): HTMLInputElement {
  render(<Field />);
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
