import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import type { IssuePreview } from "./get-issue-preview.server.ts";
import { IssuePreviewCard } from "./issue-preview-card.tsx";
import { placeCard } from "./place-card.ts";
import { type PreviewCause, type PreviewTarget, usePreviewTarget } from "./use-preview-target.ts";

export interface IssuePreviewLayerProps {
  list: RefObject<HTMLElement | null>;
  /** The environments of the list's filter. The card shows the latest event in them. */
  environments: readonly string[];
  cause: RefObject<PreviewCause>;
}

/** `failed`: it could not be read. Null: it has not arrived yet. */
type Answer = { issueId: string; preview: IssuePreview | "failed" } | null;

/** One card for the whole list. It loads its content when it opens, and cancels the request when it closes. */
export default function IssuePreviewLayer({ list, environments, cause }: IssuePreviewLayerProps) {
  const card = useRef<HTMLDivElement>(null);
  const place = (at: PreviewTarget) => {
    // The whole cell is a link to the issue, so the card must not cover it.
    const anchor = (at.link.closest("td") ?? at.link).getBoundingClientRect();
    if (card.current) placeCard(card.current, anchor, at.x);
  };
  const target = usePreviewTarget({ list, card, cause, onScroll: place });
  const [answer, setAnswer] = useState<Answer>(null);

  const issueId = target?.issueId ?? null;
  const query = new URLSearchParams(environments.map((name) => ["environment", name])).toString();
  useEffect(() => {
    if (issueId === null) return;
    const ending = new AbortController();
    readPreview(`/issues/${issueId}/preview?${query}`, ending.signal).then(
      (preview) => setAnswer({ issueId, preview }),
      () => !ending.signal.aborted && setAnswer({ issueId, preview: "failed" }),
    );
    return () => {
      ending.abort();
      setAnswer(null);
    };
  }, [issueId, query]);

  // biome-ignore lint/correctness/useExhaustiveDependencies: its size changes with what is in it
  useLayoutEffect(() => {
    card.current?.togglePopover(target !== null);
    if (target) place(target);
  }, [target, answer]);

  return (
    // biome-ignore lint/a11y/useSemanticElements: it is no set of fields
    <div
      ref={card}
      popover="manual"
      role="group"
      aria-label={`Preview of ${target?.shortId ?? "an issue"}`}
      // Screen readers announce it only if a key opened it. A resting mouse does not interrupt anybody.
      aria-live={target?.isByKey ? "polite" : "off"}
      className="issue-preview overlay-panel"
    >
      {target && (
        <IssuePreviewCard
          shortId={target.shortId}
          preview={answer?.issueId === target.issueId ? answer.preview : null}
          hasKeys={target.isByKey}
        />
      )}
    </div>
  );
}

async function readPreview(path: string, signal: AbortSignal): Promise<IssuePreview> {
  const response = await fetch(path, { signal, headers: { accept: "application/json" } });
  if (!response.ok) throw new Error(`${path} answered ${response.status}`);
  return (await response.json()) as IssuePreview;
}
