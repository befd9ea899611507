/** Messages of Chromium, Firefox and Safari when a connection cannot be made, or breaks while an answer is read. */
export const CONNECTION_WORDS =
  /Failed to fetch|network error|NetworkError when attempting to fetch resource|Error in (input|body) stream|Load failed|The network connection was lost/i;

/**
 * Whether a fault comes from a connection that broke, or from a page that was left while it loaded something: nothing is
 * wrong with the program. The router wraps the browser's own error, so causes count.
 */
export function isConnectionFault(fault: unknown): boolean {
  for (let at = fault, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (at.name === "AbortError" || (at instanceof TypeError && CONNECTION_WORDS.test(at.message))) return true;
  }
  return false;
}
