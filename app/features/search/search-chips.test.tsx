import { fireEvent, render, screen, waitFor } from "@testing-library/react";
import { useRef } from "react";
import { beforeEach, expect, test, vi } from "vitest";
import type { SearchError } from "../../domain/search/search-tree.ts";
import SearchChips, { type SearchChipsControls } from "./search-chips.tsx";

const onMoved = vi.fn<(isOpened: boolean) => void>();

function Field({ search, errors = [] }: { search: string; errors?: SearchError[] }) {
  const field = useRef<HTMLInputElement>(null);
  const controls = useRef<SearchChipsControls>(null);
  return (
    <div>
      <input
        ref={field}
        aria-label="Search"
        defaultValue={search}
        onKeyDown={(event) => controls.current?.onKeyDown(event)}
      />
      <SearchChips controls={controls} field={field} search={search} errors={errors} onMoved={onMoved} />
    </div>
  );
}

function show(search: string): HTMLInputElement {
  render(<Field search={search} />);
  const input = screen.getByRole<HTMLInputElement>("textbox", { name: "Search" });
  input.focus();
  input.setSelectionRange(search.length, search.length);
  return input;
}

const listChips = () => [...document.querySelectorAll(".search-chip")].map(({ textContent }) => textContent);
const drawn = () => document.querySelector(".search-chips-line")?.textContent;
const selected = (input: HTMLInputElement) => input.value.slice(input.selectionStart ?? 0, input.selectionEnd ?? 0);
const press = (input: HTMLInputElement, key: string) => fireEvent.keyDown(input, { key });
/** False: the field does not delete. */
const deleteBack = (input: HTMLInputElement) =>
  input.dispatchEvent(
    new InputEvent("beforeinput", { inputType: "deleteContentBackward", bubbles: true, cancelable: true }),
  );

beforeEach(() => onMoved.mockClear());

test("the text of the field is drawn as chips, letter for letter", async () => {
  const input = show('is:unresolved  !plan:[pro, "a b"] OR (checkout level:>=2)');
  expect(drawn()).toBe(input.value);
  expect(listChips()).toEqual(["is:unresolved", '!plan:[pro, "a b"]', "OR", "(", "checkout", "level:>=2", ")"]);
  fireEvent.input(input, { target: { value: "a b:c " } });
  await waitFor(() => expect(listChips()).toEqual(["a", "b:c"]));
});

test("arrows choose chips and say which, Enter opens one, Escape leaves", async () => {
  const input = show("is:unresolved level:error");
  press(input, "ArrowLeft");
  expect(selected(input)).toBe("level:error");
  await waitFor(() => expect(screen.getByRole("status").textContent).toMatch(/^level:error, filter, 2 of 2\./));
  expect(document.querySelector(".search-chip.is-chosen")?.textContent).toBe("level:error");
  press(input, "ArrowLeft");
  expect(selected(input)).toBe("is:unresolved");
  press(input, "Enter");
  expect([input.selectionStart, input.selectionEnd]).toEqual([13, 13]);
  expect(onMoved).toHaveBeenLastCalledWith(true);
  press(input, "Escape");
  expect(selected(input)).toBe("is:unresolved");
  press(input, "Escape");
  expect(input.value).toBe("is:unresolved level:error ");
  expect(selected(input)).toBe("");
});

test("Backspace chooses the chip before, and then takes it away", async () => {
  const input = show("a OR plan:pro ");
  expect(deleteBack(input)).toBe(false);
  expect(selected(input)).toBe("plan:pro");
  expect(deleteBack(input)).toBe(false);
  expect(input.value).toBe("a ");
  await waitFor(() => expect(screen.getByRole("status").textContent).toBe("Removed plan:pro."));
  // A word is text.
  expect(deleteBack(input)).toBe(true);
});

test("while one types, Backspace takes letters", () => {
  const input = show("");
  fireEvent.input(input, { target: { value: "level:eror" } });
  expect(deleteBack(input)).toBe(true);
  press(input, "ArrowLeft");
  expect(selected(input)).toBe("");
});

test("what is typed behind chips that one has come to is a word of its own", () => {
  const type = (input: HTMLInputElement, data: string) =>
    input.dispatchEvent(
      new InputEvent("beforeinput", { inputType: "insertText", data, bubbles: true, cancelable: true }),
    );
  const input = show("is:unresolved");
  expect(type(input, "l")).toBe(false);
  expect(input.value).toBe("is:unresolved l");
  // Then one types on.
  expect(type(input, "e")).toBe(true);
});

test("what is typed behind the last chip goes on with it where the caret was moved there", () => {
  const input = show("release:shop@2.1");
  press(input, "End");
  const event = new InputEvent("beforeinput", { inputType: "insertText", data: "5", bubbles: true, cancelable: true });
  expect(input.dispatchEvent(event)).toBe(true);
  expect(input.value).toBe("release:shop@2.1");
});

test("what is not understood is marked at its letters, and selected once it is said", () => {
  const search = "is:unresolved level:loud";
  const { rerender } = render(<Field search={search} />);
  const input = screen.getByRole<HTMLInputElement>("textbox", { name: "Search" });
  input.focus();
  rerender(<Field search={search} errors={[{ from: 14, to: 24, message: "no" }]} />);
  const marked = [...document.querySelectorAll(".search-chip-error")].map(({ textContent }) => textContent);
  expect(marked.join("")).toBe("level:loud");
  expect(selected(input)).toBe("level:loud");
});

test("a chosen chip can be taken away by its button", async () => {
  const input = show("is:unresolved level:error");
  press(input, "ArrowLeft");
  const button = await screen.findByRole("button", { name: "Remove level:error" });
  expect(button.tabIndex).toBe(-1);
  fireEvent.click(button);
  expect(input.value).toBe("is:unresolved ");
});
