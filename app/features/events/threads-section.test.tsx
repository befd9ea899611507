import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import { ThreadList } from "./threads-section.tsx";

const show = (count: number) => {
  const values = Array.from({ length: count }, (_, id) => ({ id, name: `worker-${id}`, crashed: id === count - 1 }));
  const event = { event_id: "0".repeat(32), platform: "java", timestamp: 0, threads: { values } };
  render(
    <ThreadList event={event as never} grouping={null} view={{ form: "full", order: "newest", source: "mapped" }} />,
  );
};

test("of many threads the first few are listed, the one that crashed before all, and the others behind a fold", () => {
  show(40);
  const names = screen.getAllByText(/^worker-/).map(({ textContent }) => textContent);
  expect(names).toHaveLength(40);
  expect(names[0]).toBe("worker-39");
  const fold = screen.getByText("32 more threads").closest("details");
  expect(fold?.open).toBe(false);
  expect(fold?.textContent).not.toContain("worker-39");
});

test("a few are all listed", () => {
  show(9);
  expect(screen.queryByText(/more threads/)).toBeNull();
});
