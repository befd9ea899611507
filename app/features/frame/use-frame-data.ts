import { useRouteLoaderData } from "react-router";
import type { ApiScope } from "../../domain/api-token.ts";

interface FrameData {
  rights?: readonly ApiScope[];
  viewer?: { id: number; name: string };
  sendsNothing?: boolean;
}

/** The data that the frame around the page has loaded. Null on pages for people who are not signed in. */
export function useFrameData(): FrameData | null {
  return (useRouteLoaderData("routes/app-layout") as FrameData | null | undefined) ?? null;
}
