import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { useKeptFocus } from "./kept-focus.tsx";

function Part({ names }: { names: readonly string[] }) {
  const part = useKeptFocus<HTMLElement>();
  return (
    <section ref={part} tabIndex={-1} aria-label="Values">
      {names.map((name) => (
        <a key={name} href="/">
          {name}
        </a>
      ))}
    </section>
  );
}

const show = (names: readonly string[]) => (
  <>
    <Part names={names} />
    <button type="button">Elsewhere</button>
  </>
);

test("a part takes the focus of a link of it that is gone", () => {
  const { rerender } = render(show(["free", "pro"]));
  screen.getByText("free").focus();
  rerender(show(["pro"]));
  expect(document.activeElement).toBe(screen.getByRole("region", { name: "Values" }));
});

test("it leaves the focus where it stays, and where nobody had it within", async () => {
  const { rerender } = render(show(["free", "pro"]));
  screen.getByText("pro").focus();
  rerender(show(["pro"]));
  expect(document.activeElement).toBe(screen.getByText("pro"));
  screen.getByRole("button").focus();
  await Promise.resolve();
  screen.getByRole("button").blur();
  rerender(show([]));
  expect(document.activeElement).toBe(document.body);
});
