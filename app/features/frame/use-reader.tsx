import { useFrameData } from "./use-frame-data.ts";

/** The signed-in person. Null on pages for people who are not signed in. */
export function useReader(): { id: number; name: string } | null {
  return useFrameData()?.viewer ?? null;
}
