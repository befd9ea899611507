import { act, fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { createRoutesStub } from "react-router";
import { afterEach, expect, onTestFinished, test, vi } from "vitest";
import type { TracePage } from "./get-trace-page.server.ts";
import { scaleScroll } from "./row-scroll.ts";
import { readTraceOptions } from "./trace-options.ts";
import type { SpanRowView, TraceRowsWindow } from "./trace-rows-view.ts";
import { useTraceWindow } from "./use-trace-window.ts";
import { Waterfall } from "./waterfall.tsx";

const COUNT = 1_000_000;
const FIRST = 499_950;
const OPEN = 500_000;
const FRAME_PX = 500;

const toId = (row: number) => row.toString(16).padStart(16, "0");

afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

/** Gives the waterfall other rows, as another window of time does. */
let showRows: (rows: Pick<TraceRowsWindow, "from" | "rows" | "count">) => void;

const toRow = (number: number): SpanRowView => ({
  ...{ kind: "span", id: toId(number), key: toId(number), depth: 1, service: 0, op: "db", name: null },
  ...{ startUs: 0, durationUs: 1, selfUs: 1, childCount: 0, own: [], isFolded: false, isFailed: false, status: null },
  ...{ missingParentId: null, errorCount: 0, logCount: 0, marks: [], isMatch: false, isBeside: false, path: [] },
});

/** A trace whose address names the span in row `OPEN`. */
function renderWaterfall({ isPhone }: { isPhone: boolean }) {
  vi.stubGlobal("matchMedia", () => ({ matches: isPhone, addEventListener: vi.fn(), removeEventListener: vi.fn() }));
  vi.stubGlobal(
    "ResizeObserver",
    class {
      observe() {}
      disconnect() {}
    },
  );
  vi.stubGlobal("fetch", () => new Promise(() => undefined));
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(FRAME_PX);
  const rows = Array.from({ length: 100 }, (_, at) => toRow(FIRST + at));
  const options = readTraceOptions(new URLSearchParams({ span: toId(OPEN) }));
  const page = {
    ...{ traceId: "ab".repeat(16), options, services: [{ name: "shop" }], durationUs: 1_000_000, minimap: [] },
    selection: { window: null },
  } as unknown as TracePage;
  const Shown = () => {
    const [shown, setShown] = useState<TraceRowsWindow>({
      from: FIRST,
      rows,
      count: COUNT,
      matches: [],
      matchCount: 0,
    });
    showRows = (other) => act(() => setShown({ ...shown, ...other }));
    const view = useTraceWindow(page);
    return <Waterfall page={page} view={view} rows={shown} loaded={options} hues={[0]} />;
  };
  const Stub = createRoutesStub([{ path: "/", Component: Shown }]);
  render(<Stub />);
  return screen.getByRole("treegrid");
}

test.each([
  { isPhone: false, height: 26 },
  { isPhone: true, height: 44 },
])(
  "of a million rows, that of the span in the address is in sight, with rows of $height pixels",
  ({ isPhone, height }) => {
    const offset = scaleScroll({ count: COUNT, height }, FRAME_PX).toOffset(renderWaterfall({ isPhone }).scrollTop);
    const top = OPEN * height - offset;
    expect(top).toBeGreaterThanOrEqual(0);
    expect(top + height).toBeLessThanOrEqual(FRAME_PX);
  },
);

test("the page scrolls to that row once it is drawn in its place, and no more", () => {
  const scrollIntoView = vi.fn();
  // The simulated browser does not have this function.
  Element.prototype.scrollIntoView = scrollIntoView;
  onTestFinished(() => void Reflect.deleteProperty(Element.prototype, "scrollIntoView"));
  let topPx = -1_000;
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function (this: Element) {
    return { top: this.id === `trace-row-${OPEN}` ? topPx : 0 } as DOMRect;
  });
  const frame = renderWaterfall({ isPhone: true });
  expect(scrollIntoView).not.toHaveBeenCalled();
  topPx = OPEN * 44 - scaleScroll({ count: COUNT, height: 44 }, FRAME_PX).toOffset(frame.scrollTop);
  fireEvent.scroll(frame);
  expect(scrollIntoView).toHaveBeenCalledTimes(1);
  frame.scrollTop += 1_000;
  fireEvent.scroll(frame);
  expect(scrollIntoView).toHaveBeenCalledTimes(1);
});

test("the same span stays active in another window of time, and else the last row at most is", () => {
  const frame = renderWaterfall({ isPhone: false });
  const active = () => frame.getAttribute("aria-activedescendant");
  fireEvent.keyDown(frame, { key: "ArrowDown" });
  fireEvent.scroll(frame);
  expect(active()).toBe(`trace-row-${OPEN + 1}`);
  const rows = Array.from({ length: 20 }, (_, at) => toRow(OPEN - 10 + at));
  showRows({ from: 0, rows, count: 20 });
  // The simulated browser does not know that its frame is shorter now.
  frame.scrollTop = 0;
  fireEvent.scroll(frame);
  expect(active()).toBe("trace-row-11");
  showRows({ from: 0, rows: rows.slice(0, 5), count: 5 });
  expect(active()).toBe("trace-row-4");
});
