/** Messages of Chromium, Firefox and Safari for a connection that cannot be made, or that breaks while an answer is read. */
export const CONNECTION_WORDS =
  /Failed to fetch|network error|NetworkError when attempting to fetch resource|Error in (input|body) stream|Load failed|The network connection was lost/i;

/**
 * Whether a fault comes from a broken connection, or from a page that was left while it loaded something. Then nothing is wrong with the
 * program. The router wraps the browser's own error, so causes are checked, too.
 */
export function isConnectionFault(fault: unknown): boolean {
  for (let at = fault, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if (at.name === "AbortError" || (at instanceof TypeError && CONNECTION_WORDS.test(at.message))) return true;
  }
  return false;
}
