import { useEffect, useState } from "react";
import type { FoundPlace } from "./found-place.ts";

/** Keystrokes within this time cause one request. */
const ASK_AFTER_MS = 120;

/** What the server finds for the text. While it is asked, that of the text before, as far as the words are in it. */
export function useFoundPlaces(text: string): FoundPlace[] {
  const [found, setFound] = useState<{ text: string; places: FoundPlace[] }>({ text: "", places: [] });
  useEffect(() => {
    if (text.length < 2) return;
    const ending = new AbortController();
    const timer = setTimeout(async () => {
      const places = await load(text, ending.signal);
      if (places !== null && !ending.signal.aborted) setFound({ text, places });
    }, ASK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [text]);
  if (text.length < 2) return [];
  if (found.text === text) return found.places;
  const words = text.toLowerCase().split(/\s+/);
  return found.places.filter(({ label, detail }) =>
    words.every((word) => `${label} ${detail}`.toLowerCase().includes(word)),
  );
}

/** Null when there is no answer: the palette works without. */
async function load(text: string, signal: AbortSignal): Promise<FoundPlace[] | null> {
  try {
    const answer = await fetch(`/find?${new URLSearchParams({ text })}`, {
      signal,
      headers: { accept: "application/json" },
    });
    return answer.ok ? ((await answer.json()) as FoundPlace[]) : null;
  } catch {
    return null;
  }
}
