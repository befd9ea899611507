import type { FrameData } from "./load-frame.server.ts";
import type { Theme } from "./theme.ts";

/** What is thrown for a page that a role does not allow: no loader has run then, so it carries what the frame shows. */
export interface RefusedPage {
  message: string;
  frame: FrameData;
  theme: Theme;
}

export function toRefusedPage(error: unknown): RefusedPage | null {
  const carried = typeof error === "object" && error !== null && "data" in error ? error.data : null;
  return typeof carried === "object" && carried !== null && "frame" in carried ? (carried as RefusedPage) : null;
}
