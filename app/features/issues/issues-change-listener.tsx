import { useEffect, useRef } from "react";
import { useFetcher } from "react-router";
import type { SaidChange } from "./say-issues-change.server.ts";

/**
 * Waits for the answer to one change and for the rows to reload, then announces it once. A null answer: the change was refused, and
 * the frame has said why.
 */
export function IssuesChangeListener({
  fetcherKey,
  onAnswer,
}: {
  fetcherKey: string;
  onAnswer: (answer: SaidChange | null) => void;
}) {
  const { data: answer, state } = useFetcher<SaidChange>({ key: fetcherKey });
  const isSent = useRef(false);
  if (state !== "idle") isSent.current = true;
  const isDone = state === "idle" && (answer !== undefined || isSent.current);
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer is told once
  useEffect(() => {
    if (isDone) onAnswer(answer ?? null);
  }, [isDone]);
  return null;
}
