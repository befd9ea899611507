import type { FrameData } from "./load-frame.server.ts";
import type { Theme } from "./theme.ts";

/** Thrown for a page that a role does not allow. No loader has run by then, so it carries the data of the frame. */
export interface RefusedPage {
  message: string;
  frame: FrameData;
  theme: Theme;
}

export function toRefusedPage(error: unknown): RefusedPage | null {
  const carried = typeof error === "object" && error !== null && "data" in error ? error.data : null;
  return typeof carried === "object" && carried !== null && "frame" in carried ? (carried as RefusedPage) : null;
}
