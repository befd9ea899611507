import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { STEP_STATES } from "../../domain/symbolication.ts";
import { StepStateMark } from "./step-state.tsx";

test("each state has a word and a shape of its own: colour is never the only sign", () => {
  const looks = STEP_STATES.map((state) => {
    const { container, unmount } = render(<StepStateMark state={state} />);
    const look = { word: container.textContent, shape: container.querySelector("svg")?.innerHTML };
    unmount();
    return look;
  });
  expect(looks.map(({ word }) => word)).toEqual([
    "Found",
    "Missing",
    "Does not fit",
    "Not uploaded yet",
    "Not looked at",
    "Took too long",
  ]);
  expect(new Set(looks.map(({ shape }) => shape)).size).toBe(STEP_STATES.length);
  expect(screen.queryByText("Found")).toBeNull();
});
