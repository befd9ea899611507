import { useEffect } from "react";

/** Tells the server that somebody is looking at the issue. The loader cannot do it: it also reads pages that nobody opens. */
export function useNoteSeen(issueId: number): void {
  useEffect(() => {
    const body = new URLSearchParams({ intent: "seen" });
    // Nothing waits for the answer. If it fails, the next visit tells it.
    void fetch(`/issues/${issueId}/mine`, { method: "POST", body, keepalive: true }).catch(() => {});
  }, [issueId]);
}
