import type { SaidPart } from "../../domain/alerts/say-rule.ts";

/** A rule in words. With `leads`, each part links to the field that changes it. */
export function AlertSentence({ parts, leads = false }: { parts: readonly SaidPart[]; leads?: boolean }) {
  return parts.map(({ text, field }, index) => {
    // Parts can only be identified by their index.
    const key = `${index} ${field ?? ""}`;
    if (field === undefined) return <span key={key}>{text}</span>;
    return leads ? (
      <a key={key} href={`#${field}`} className="alert-fact wrap-anywhere">
        {text}
      </a>
    ) : (
      <b key={key} className="wrap-anywhere font-semibold">
        {text}
      </b>
    );
  });
}
