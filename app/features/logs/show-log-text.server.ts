import { stripVTControlCharacters } from "node:util";
import { showTurns } from "../../domain/traces/show-turns.ts";

/** As pages show it: without the escape sequences by which a terminal colours it. Searches and the API have the text as it was sent. */
export function showLogText(text: string): string {
  return showTurns(stripVTControlCharacters(text));
}
