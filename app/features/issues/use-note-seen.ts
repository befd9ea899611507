import { useEffect } from "react";

/** Tells the server that somebody looks at the issue: not with its loader, which also reads pages that nobody opens. */
export function useNoteSeen(issueId: number): void {
  useEffect(() => {
    const body = new URLSearchParams({ intent: "seen" });
    // Nobody waits for it, and the next look tells it again.
    void fetch(`/issues/${issueId}/mine`, { method: "POST", body, keepalive: true }).catch(() => {});
  }, [issueId]);
}
