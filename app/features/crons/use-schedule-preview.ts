import { useEffect, useRef, useState } from "react";
import type { SchedulePreview } from "./schedule-words.server.ts";

/** The pause after a key before the preview is read. Milliseconds. */
const LOOK_AFTER_MS = 250;

/**
 * Reads the meaning of a schedule while somebody types it into a form. If a reading fails, the last preview stays, because the form can be
 * sent anyway.
 * @returns the preview, and a function that reads it again for the fields of a form.
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

/** Null: there was no answer. */
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
