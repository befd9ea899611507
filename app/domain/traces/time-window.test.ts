import { expect, test } from "vitest";
import { fitWindow, MIN_WINDOW_US, panWindow, zoomWindow } from "./time-window.ts";

test.for([
  ["inside", { fromUs: 100, toUs: 200 }, { fromUs: 100, toUs: 200 }],
  ["beyond the begin", { fromUs: -50, toUs: 50 }, { fromUs: 0, toUs: 100 }],
  ["beyond the end", { fromUs: 950, toUs: 1_050 }, { fromUs: 900, toUs: 1_000 }],
  ["too narrow", { fromUs: 500, toUs: 500 }, { fromUs: 500 - MIN_WINDOW_US / 2, toUs: 500 + MIN_WINDOW_US / 2 }],
  ["the wrong way round", { fromUs: 600, toUs: 400 }, { fromUs: 495, toUs: 505 }],
  ["all of it", { fromUs: 0, toUs: 1_000 }, null],
  ["more than all", { fromUs: -1, toUs: 2_000 }, null],
] as const)("a window %s", ([, window, fitted]) => {
  expect(fitWindow(window, 1_000)).toEqual(fitted);
});

test("closer, what it is around stays where it is", () => {
  expect(zoomWindow({ fromUs: 0, toUs: 1_000 }, 0.5, 250)).toEqual({ fromUs: 125, toUs: 625 });
});

test("moved, it ends where the trace ends", () => {
  expect(panWindow({ fromUs: 100, toUs: 300 }, 0.5, 1_000)).toEqual({ fromUs: 200, toUs: 400 });
  expect(panWindow({ fromUs: 750, toUs: 950 }, 0.5, 1_000)).toEqual({ fromUs: 800, toUs: 1_000 });
  expect(panWindow({ fromUs: 50, toUs: 250 }, -0.5, 1_000)).toEqual({ fromUs: 0, toUs: 200 });
});
