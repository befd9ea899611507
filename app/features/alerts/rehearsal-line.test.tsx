import { fireEvent, render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { LineSlider, moveByKey, toHeight, toValue } from "./rehearsal-line.tsx";

const SCALE = { top: 100 };

test("heights and values are each other's, on the scale of square roots", () => {
  expect(toHeight(25, SCALE)).toBe(0.5);
  for (const value of [1, 20, 99, 100]) expect(toValue(toHeight(value, SCALE), SCALE)).toBe(value);
  expect([toValue(-1, SCALE), toValue(2, SCALE)]).toEqual([1, 100]);
});

test("keys move the line as those of a slider, and stay within the chart", () => {
  expect(["ArrowUp", "ArrowDown", "PageUp", "PageDown", "Home", "End"].map((key) => moveByKey(key, 50, SCALE))).toEqual(
    [51, 49, 60, 40, 1, 100],
  );
  expect([moveByKey("ArrowDown", 1, SCALE), moveByKey("ArrowUp", 100, SCALE), moveByKey("a", 5, SCALE)]).toEqual([
    1,
    100,
    null,
  ]);
});

test("the slider says its value, moves by keys, and Enter is the end of it", () => {
  const moved: number[] = [];
  let done = 0;
  render(
    <LineSlider value={20} scale={SCALE} kind="users" onMove={(value) => moved.push(value)} onDone={() => done++} />,
  );
  const slider = screen.getByRole("slider", { name: "Line of the rule" });
  expect(slider.getAttribute("aria-valuetext")).toBe("20 users");
  fireEvent.keyDown(slider, { key: "ArrowUp" });
  fireEvent.keyDown(slider, { key: "Tab" });
  fireEvent.keyDown(slider, { key: "Enter" });
  expect([moved, done]).toEqual([[21], 1]);
});
