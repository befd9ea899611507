import type { ReactNode } from "react";
import type { ApiScope } from "../../domain/api-token.ts";
import { useFrameData } from "./use-frame-data.ts";

/** Whether the viewer's role allows one of these rights. The server checks again. False on pages for people who are not signed in. */
export function useMay(...rights: ApiScope[]): boolean {
  return useRights()(...rights);
}

/** Like `useMay`, for many questions at once. */
export function useRights(): (...rights: ApiScope[]) => boolean {
  const frame = useFrameData();
  return (...rights) => rights.some((right) => frame?.rights?.includes(right));
}

/** Shows its content only to people whose role allows this right. */
export function IfMay({ right, children }: { right: ApiScope; children: ReactNode }): ReactNode {
  return useMay(right) ? children : null;
}
