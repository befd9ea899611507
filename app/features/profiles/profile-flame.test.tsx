import { fireEvent, render, screen } from "@testing-library/react";
import { useState } from "react";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { mergeStacks } from "../../domain/profiles/merge-stacks.ts";
import { readProfile } from "../../domain/profiles/read-profile.ts";
import { weighSamples } from "../../domain/profiles/weigh-samples.ts";
import { ProfileFlame } from "./profile-flame.tsx";
import type { DrawnProfile } from "./profile-view.ts";
import { printZoom, readZoom, withoutZoom } from "./profile-zoom.ts";

/** main (100 ms): load (60 ms: query 40 ms) and render (40 ms). */
const NAMES = ["main", "load", "query", "render"];
const STACKS = [
  [2, 1, 0],
  [1, 0],
  [3, 0],
];

function drawProfile(): DrawnProfile {
  const samples = [0, 0, 0, 0, 1, 1, 2, 2, 2, 2].map((stack, at) => ({
    ...{ elapsed_since_start_ns: at * 1e7, thread_id: "1", stack_id: stack },
  }));
  const frames = NAMES.map((name) => ({ function: name, filename: "a.py", in_app: name !== "query" }));
  const read = readProfile({ platform: "python", profile: { frames, stacks: STACKS, samples } });
  if (!read.ok) throw new Error(read.reason);
  const thread = { id: "1", name: null, samples: 10 };
  const merged = mergeStacks(weighSamples([read.profile], { thread: "1", window: null }).stacks);
  return {
    ...{ threads: [thread], threadCount: 1, thread, durationUs: 100_000, idleUs: 0, startedAt: null },
    ...{ listed: [], functionCount: 4, ...merged },
  };
}

beforeEach(() => {
  // The simulated browser has none.
  Element.prototype.scrollIntoView = () => undefined;
  onTestFinished(() => void Reflect.deleteProperty(Element.prototype, "scrollIntoView"));
  render(<ZoomedFlame />);
});

function ZoomedFlame() {
  const [zoomed, setZoomed] = useState<number | null>(null);
  return <ProfileFlame drawn={drawProfile()} zoomed={zoomed} onZoom={setZoomed} />;
}

const graph = () => screen.getByRole("tree");
const press = (...keys: string[]) => {
  for (const key of keys) fireEvent.keyDown(graph(), { key });
};
const active = () => document.getElementById(graph().getAttribute("aria-activedescendant") ?? "")?.textContent;
const widths = () =>
  Object.fromEntries(screen.getAllByRole("treeitem").map((each) => [each.textContent, each.style.width]));

test("each call is below the one that called it, as wide as it ran, and says so", () => {
  expect(widths()).toEqual({ main: "100%", load: "60%", query: "40%", render: "40%" });
  const [, load] = screen.getAllByRole("treeitem");
  expect(load?.getAttribute("aria-label")).toBe("load, a.py, 60 ms, 60 % of the time, 20 ms of its own, in app");
  expect(load?.getAttribute("aria-level")).toBe("2");
});

test("arrows move: down to the longest call, up to what called it, and beside", () => {
  expect(active()).toBe("main");
  press("ArrowDown");
  expect(active()).toBe("load");
  press("ArrowRight");
  expect(active()).toBe("render");
  press("ArrowRight", "ArrowDown");
  expect(active()).toBe("render");
  press("ArrowLeft", "ArrowDown");
  expect(active()).toBe("query");
  press("ArrowUp", "ArrowUp", "ArrowUp");
  expect(active()).toBe("main");
});

test("Enter zooms to a call, Escape shows all again", () => {
  press("ArrowDown", "Enter");
  expect(widths()).toEqual({ main: "100%", load: "100%", query: expect.stringMatching(/^66.6/) });
  expect(active()).toBe("load");
  press("ArrowDown", "Enter");
  expect(widths()).toEqual({ main: "100%", load: "100%", query: "100%" });
  press("Escape");
  expect(widths()).toMatchObject({ load: "60%", render: "40%" });
  expect(active()).toBe("query");
});

test("a click zooms, also back out to a call around; a button shows all", () => {
  fireEvent.click(screen.getByText("query", { selector: "[role=treeitem]" }));
  expect(widths()).toEqual({ main: "100%", load: "100%", query: "100%" });
  fireEvent.click(screen.getByText("load", { selector: "[role=treeitem]" }));
  expect(Object.keys(widths())).toEqual(["main", "load", "query"]);
  fireEvent.click(screen.getByRole("button", { name: "Whole profile" }));
  expect(Object.keys(widths())).toHaveLength(4);
  // The button is gone: keys go on in the graph.
  expect(document.activeElement).toBe(screen.getByRole("tree"));
});

test("code of others is told apart by more than its colour", () => {
  const [main, , , query] = screen.getAllByRole("treeitem");
  expect(main?.getAttribute("aria-label")).toMatch(/, in app$/);
  expect(query?.getAttribute("aria-label")).not.toMatch(/in app/);
  expect(query?.className).toContain("profile-other");
});

test("the address names the call that has the whole width, and no other one than that", () => {
  const drawn = drawProfile();
  const load = drawn.calls.findIndex((call) => drawn.functions[call.function]?.name === "load");
  expect(printZoom(drawn, load)).toBe(`${load}.load`);
  expect(readZoom(drawn, `${load}.load`)).toBe(load);
  for (const zoom of [null, "", `${load}.main`, "99.load", "-1.load", "x"]) expect(readZoom(drawn, zoom)).toBeNull();
});

test("another zoom alone needs no other data", () => {
  const url = (search: string) => new URL(`http://culprit.test/events/1${search}`);
  expect(withoutZoom(url("?thread=1&zoom=2.load"))).toBe(withoutZoom(url("?thread=1")));
  expect(withoutZoom(url("?thread=2&zoom=2.load"))).not.toBe(withoutZoom(url("?thread=1")));
});
