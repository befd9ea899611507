import { useEffect, useRef, useState } from "react";
import type { SchedulePreview } from "./schedule-words.server.ts";

/** While somebody types. Milliseconds. */
const LOOK_AFTER_MS = 250;

/**
 * What the schedule means that somebody types into a form. What was read last stays when a look fails: the form is sent all the same.
 *
 * @returns the preview, and what looks again at the fields of a form.
 */
export function useSchedulePreview(
  first: SchedulePreview | null,
): [SchedulePreview | null, (form: HTMLFormElement) => void] {
  const [typed, setTyped] = useState<SchedulePreview | null>(null);
  const callOff = useRef(() => {});
  useEffect(() => () => callOff.current(), []);
  const look = (form: HTMLFormElement) => {
    callOff.current();
    const looking = new AbortController();
    const timer = setTimeout(
      () => void read(form, looking.signal).then((read) => read && setTyped(read)),
      LOOK_AFTER_MS,
    );
    callOff.current = () => {
      clearTimeout(timer);
      looking.abort();
    };
  };
  return [typed ?? first, look];
}

/** Null when nobody knows. */
async function read(form: HTMLFormElement, signal: AbortSignal): Promise<SchedulePreview | null> {
  const params = new URLSearchParams();
  for (const [name, value] of new FormData(form)) if (typeof value === "string") params.set(name, value);
  try {
    const answer = await fetch(`/crons/preview?${params}`, { signal, headers: { accept: "application/json" } });
    return answer.ok ? ((await answer.json()) as SchedulePreview) : null;
  } catch {
    return null;
  }
}
