import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { useRowKeys } from "./use-row-keys.ts";

function Rows({ onOpen }: { onOpen: (name: string) => void }) {
  useRowKeys("li");
  return (
    <ul>
      {["one", "two"].map((name) => (
        <li key={name}>
          <a href={`#${name}`} onClick={() => onOpen(name)}>
            {name}
          </a>
          <a href="#more">more of {name}</a>
        </li>
      ))}
    </ul>
  );
}

test("keys go from row to row by their first links, and open the one that has the focus", () => {
  const opened: string[] = [];
  render(<Rows onOpen={(name) => opened.push(name)} />);
  const press = (key: string) => fireEvent.keyDown(document.activeElement ?? document.body, { key });
  press("o");
  expect(opened).toEqual([]);
  press("j");
  expect(document.activeElement).toBe(screen.getByText("one"));
  press("j");
  press("j");
  expect(document.activeElement).toBe(screen.getByText("two"));
  press("o");
  expect(opened).toEqual(["two"]);
  screen.getByText("more of two").focus();
  press("k");
  expect(document.activeElement).toBe(screen.getByText("one"));
});
