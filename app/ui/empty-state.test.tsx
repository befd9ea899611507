import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { EmptyState, MayBeMissing } from "./empty-state.tsx";

test.each([
  { isRebuilding: false, isOfEvents: true, title: "No spans" },
  { isRebuilding: true, isOfEvents: false, title: "No spans" },
  { isRebuilding: true, isOfEvents: true, title: "Nothing is back yet" },
])("says $title", ({ isRebuilding, isOfEvents, title }) => {
  render(
    <MayBeMissing value={isRebuilding}>
      <EmptyState title="No spans" isOfEvents={isOfEvents}>
        Set a sample rate.
      </EmptyState>
    </MayBeMissing>,
  );
  expect(screen.getByRole("heading").textContent).toBe(title);
  expect(screen.queryByText("Set a sample rate.") === null).toBe(title === "Nothing is back yet");
});
