import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { Count, formatCount } from "./count.tsx";

test.each([
  [0, "0"],
  [9_999, "9,999"],
  [10_000, "10k"],
  [999_999, "999k"],
  [1_250_000, "1.2M"],
  [12_500_000, "12M"],
  [3_210_000_000, "3.2G"],
])("%d is written %s", (count, text) => {
  expect(formatCount(count)).toBe(text);
});

test("the whole number is read out, not the short one", () => {
  render(<Count value={15_400} unit="events" />);
  expect(screen.getByText("15,400 events")).toBeTruthy();
  expect(screen.getByText("15k").getAttribute("aria-hidden")).toBe("true");
});
