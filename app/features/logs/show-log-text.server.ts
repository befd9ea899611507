import { stripVTControlCharacters } from "node:util";
import { showTurns } from "../../domain/traces/show-turns.ts";

/**
 * The text as pages show it, without the escape sequences that colour it in a terminal. Searches and the API use the text as it was
 * sent.
 */
export function showLogText(text: string): string {
  return showTurns(stripVTControlCharacters(text));
}
