const MAX_CHARS = 600;
const MAX_LINES = 10;

/** The beginning of a long message, shown so that the first frame stays on the screen. Null: the message is short enough. */
export function beginLongMessage(text: string): string | null {
  let end = Math.min(text.length, MAX_CHARS);
  for (let at = -1, line = 0; line < MAX_LINES; line++) {
    at = text.indexOf("\n", at + 1);
    if (at === -1 || at >= end) break;
    if (line === MAX_LINES - 1) end = at;
  }
  return end === text.length ? null : `${text.slice(0, end).trimEnd().toWellFormed()} …`;
}

/** The whole message, below the place that shows its beginning. */
export function WholeMessage({ text }: { text: string }) {
  return (
    <details className="whole-message">
      <summary>Show all {text.length.toLocaleString("en")} characters of the message</summary>
      <p className="exception-value">
        <bdi>{text}</bdi>
      </p>
    </details>
  );
}
