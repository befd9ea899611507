/** Entries of one object or list that are drawn. A line says how many more there are. */
const MAX_ENTRIES = 200;
/** More levels than normalisation keeps. */
const MAX_DEPTH = 12;

/**
 * Any JSON value in a readable form: texts as they are, objects and lists as trees that can be opened. Values that scrubbing
 * replaced are marked.
 */
export function ValueTree({ value, depth = 0 }: { value: unknown; depth?: number }) {
  if (value === null || value === undefined) return <span className="value-null">null</span>;
  if (typeof value === "string") return <TextValue text={value} />;
  if (typeof value === "number" || typeof value === "boolean")
    return <span className="value-literal">{String(value)}</span>;
  const isList = Array.isArray(value);
  const entries: Array<[string, unknown]> = isList
    ? value.map((each, index) => [String(index), each])
    : Object.entries(value as object);
  if (entries.length === 0) return <span className="value-null">{isList ? "[]" : "{}"}</span>;
  if (depth >= MAX_DEPTH) return <span className="value-literal">{JSON.stringify(value)}</span>;
  return (
    <details className="value-tree" open={depth < 1 && entries.length <= 12 ? true : undefined}>
      <summary>
        {isList
          ? `[${entries.length} ${entries.length === 1 ? "item" : "items"}]`
          : `{${entries.length} ${entries.length === 1 ? "key" : "keys"}}`}
      </summary>
      <dl>
        {entries.slice(0, MAX_ENTRIES).map(([key, each]) => (
          <div key={key}>
            <dt>{key}</dt>
            <dd>
              <ValueTree value={each} depth={depth + 1} />
            </dd>
          </div>
        ))}
      </dl>
      {entries.length > MAX_ENTRIES && (
        <p className="value-null">… and {entries.length - MAX_ENTRIES} more, in the JSON of the event</p>
      )}
    </details>
  );
}

/** An address on its own, like that of the log of a function. */
const ADDRESS = /^https?:\/\/[^\s/]\S*$/i;

/** Scrubbed text has a word in brackets. It is drawn so that nobody takes it for what the application sent. */
function TextValue({ text }: { text: string }) {
  if (!text.includes("[Filtered")) {
    if (!ADDRESS.test(text)) return <span className="value-text">{text}</span>;
    return (
      <a href={text} rel="noreferrer nofollow" target="_blank" className="value-text underline">
        {text}
      </a>
    );
  }
  const parts = text.split(/(\[Filtered[^\]]*\])/);
  return (
    <span className="value-text">
      {parts.map((part, index) =>
        part.startsWith("[Filtered") ? (
          // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text do not move
          <mark key={index} className="value-filtered" title="Culprit removed a secret here before storing the event.">
            {part}
          </mark>
        ) : (
          part
        ),
      )}
    </span>
  );
}
