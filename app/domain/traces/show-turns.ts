/** Embeddings, overrides and isolates. Each can make text read in another order than it was sent in. */
const TURNS = /[\u202a-\u202e\u2066-\u2069]/g;

/**
 * Makes characters visible that change the direction of text. `\u202E` before `gnp.exe` would make it read `exe.png`. Isolating the
 * text would protect what is around it, but not the text itself. And the title of a tab cannot be isolated.
 */
export function showTurns(text: string): string {
  return text.replace(TURNS, (turn) => `\\u${turn.charCodeAt(0).toString(16).toUpperCase()}`);
}
