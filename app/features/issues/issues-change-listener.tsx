import { useEffect } from "react";
import { useFetcher } from "react-router";
import type { SaidChange } from "./say-issues-change.server.ts";

/** Waits for the answer to one change and for the rows to reload, then announces it once. */
export function IssuesChangeListener({
  fetcherKey,
  onAnswer,
}: {
  fetcherKey: string;
  onAnswer: (answer: SaidChange) => void;
}) {
  const { data: answer, state } = useFetcher<SaidChange>({ key: fetcherKey });
  const isDone = answer !== undefined && state === "idle";
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer is told once
  useEffect(() => {
    if (isDone) onAnswer(answer);
  }, [isDone]);
  return null;
}
