/** Embeddings, overrides and isolates. Each can make text read in another order than it was sent in. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Writes out each character that turns the direction of what follows: `\u202E` before `gnp.exe` would make it read `exe.png`. To isolate the text
 * keeps what is around it right, and not the text itself. The title of a tab cannot be isolated at all.
 */
export function showTurns(text: string): string {
  return text.replace(TURNS, (turn) => `\\u${turn.charCodeAt(0).toString(16).toUpperCase()}`);
}
