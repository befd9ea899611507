import { useEffect, useState } from "react";
import type { FoundPlace } from "./found-place.ts";

/** Keystrokes within this time cause one request. */
const ASK_AFTER_MS = 120;

/** Why the server found nothing. `refused`: the reader is signed out or has to see another page first. `failed`: there was no answer. */
export type SearchTrouble = "refused" | "failed";

/** The places that the server finds for the text. While the server is asked, the places for the earlier text that have the words in them. */
export function useFoundPlaces(text: string): { places: FoundPlace[]; trouble: SearchTrouble | null } {
  const [found, setFound] = useState<{ text: string; answer: FoundPlace[] | SearchTrouble }>({ text: "", answer: [] });
  useEffect(() => {
    if (text.length < 2) return;
    const ending = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await load(text, ending.signal);
      if (!ending.signal.aborted) setFound({ text, answer });
    }, ASK_AFTER_MS);
    return () => {
      clearTimeout(timer);
      ending.abort();
    };
  }, [text]);
  if (text.length < 2) return { places: [], trouble: null };
  if (typeof found.answer === "string") return { places: [], trouble: found.answer };
  if (found.text === text) return { places: found.answer, trouble: null };
  const words = text.toLowerCase().split(/\s+/);
  const places = found.answer.filter(({ label, detail }) =>
    words.every((word) => `${label} ${detail}`.toLowerCase().includes(word)),
  );
  return { places, trouble: null };
}

async function load(text: string, signal: AbortSignal): Promise<FoundPlace[] | SearchTrouble> {
  try {
    const answer = await fetch(`/find?${new URLSearchParams({ text })}`, {
      signal,
      headers: { accept: "application/json" },
    });
    if (answer.status === 401 || answer.redirected) return "refused";
    return answer.ok ? ((await answer.json()) as FoundPlace[]) : "failed";
  } catch {
    return "failed";
  }
}
