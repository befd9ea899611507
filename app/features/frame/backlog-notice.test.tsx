import { act, render } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type FakeEventSource, fakeEventSource } from "../../../tests/support/fake-event-source.ts";
import type { LiveEvent } from "../live/live-event.ts";
import { BacklogNotice } from "./backlog-notice.tsx";

let source: FakeEventSource;

beforeEach(() => {
  source = fakeEventSource();
});
afterEach(() => vi.unstubAllGlobals());

const tell = (event: LiveEvent) => act(() => source.tell(event));
const backlog = (at: number, records: number) => ({ at, records, recordsPerSecond: 1 });

test("what waits is said until the feed says that nothing does", () => {
  const { container } = render(<BacklogNotice read={backlog(1_000, 400)} />);
  expect(container.textContent).toContain("400 events are being processed.");
  tell({ kind: "backlog", ...backlog(2_000, 0) });
  expect(container.textContent).toBe("");
});

test("a page that was read earlier and comes later than the feed's word does not take it back; a later one does", () => {
  const { container, rerender } = render(<BacklogNotice read={backlog(1_000, 400)} />);
  tell({ kind: "backlog", ...backlog(3_000, 0) });
  rerender(<BacklogNotice read={backlog(2_000, 300)} />);
  expect(container.textContent).toBe("");
  rerender(<BacklogNotice read={backlog(4_000, 200)} />);
  expect(container.textContent).toContain("200 events are being processed.");
});
