import type { SaidPart } from "../../domain/alerts/say-rule.ts";

/** What a rule does, in words. With `leads`, each fact is a link to the field that changes it. */
export function AlertSentence({ parts, leads = false }: { parts: readonly SaidPart[]; leads?: boolean }) {
  return parts.map(({ text, field }, index) => {
    // Parts have no other identity than their place.
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
