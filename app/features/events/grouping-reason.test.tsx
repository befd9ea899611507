import { render, screen } from "@testing-library/react";
import { expect, test } from "vitest";
import type { SentryEvent } from "../../domain/event.ts";
import type { GroupingExplanation } from "../../domain/grouping.ts";
import { GroupingReason } from "./grouping-reason.tsx";

const EVENT: SentryEvent = {
  event_id: "0".repeat(32),
  type: "error",
  timestamp: 1,
  received: 1,
  platform: "javascript",
  level: "error",
};

const GROUPING: GroupingExplanation = {
  version: "culprit:1",
  basis: "message",
  variant: null,
  hash: "a".repeat(32),
  contributions: [{ kind: "message", value: "out of stock" }],
  omissions: [],
};

test("it says where another browser's report decided, and nothing of it elsewhere", () => {
  const { rerender } = render(<GroupingReason event={EVENT} grouping={GROUPING} isFoundByAlias={false} />);
  expect(screen.getByText(/out of stock/, { selector: "p" })).toBeTruthy();
  expect(screen.queryByText(/another browser/)).toBeNull();
  rerender(<GroupingReason event={EVENT} grouping={GROUPING} isFoundByAlias />);
  expect(screen.getByText(/out of stock/, { selector: "p" })).toBeTruthy();
  expect(screen.getByText(/another browser had reported the same error/)).toBeTruthy();
});
