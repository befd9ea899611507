import { useEffect } from "react";
import { useFetcher } from "react-router";
import type { IssuesChangeAnswer } from "./change-listed-issues.server.ts";

/** Waits for the answer to one change and for the rows to reload, then announces it once. */
export function IssuesChangeListener({
  fetcherKey,
  onAnswer,
}: {
  fetcherKey: string;
  onAnswer: (answer: IssuesChangeAnswer) => void;
}) {
  const { data: answer, state } = useFetcher<IssuesChangeAnswer>({ key: fetcherKey });
  const isDone = answer !== undefined && state === "idle";
  // biome-ignore lint/correctness/useExhaustiveDependencies: an answer is told once
  useEffect(() => {
    if (isDone) onAnswer(answer);
  }, [isDone]);
  return null;
}
