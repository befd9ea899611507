import { cleanup, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { SearchRefusal } from "./search-refusal.tsx";

const marks = () => [...document.querySelectorAll("mark")].map((mark) => mark.textContent);

test("marks each place, says each sentence, and keeps the text as it was typed", () => {
  const search = "level:loud timesSeen:many x";
  const errors = [
    { from: 6, to: 10, message: "Not a level." },
    { from: 8, to: 10, message: "Within it." },
    { from: 21, to: 25, message: "Not a number." },
  ];
  render(<SearchRefusal id="r" search={search} errors={errors} />);
  expect(marks()).toEqual(["loud", "many"]);
  expect(document.querySelector("code")?.textContent).toBe(search);
  expect(screen.getByRole("alert").textContent).toMatch(/Not a level.*character 7.*Within it.*Not a number/);
});

test("shows where something is missing, also beyond the end", () => {
  render(<SearchRefusal id="r" search="timesSeen:>" errors={[{ from: 11, to: 11, message: "Needs a value." }]} />);
  expect(marks()).toEqual(["‸"]);
  cleanup();
  render(<SearchRefusal id="r" search="ab" errors={[{ from: 2_000, to: 2_001, message: "Too long." }]} />);
  expect(marks()).toEqual(["‸"]);
});
