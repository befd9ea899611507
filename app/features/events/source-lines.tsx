import { useEffect, useState } from "react";
import type { Frame } from "../../domain/event.ts";
import { importOptional } from "../../navigation/stale-build.ts";
import { whenAtRest } from "../../navigation/when-at-rest.ts";
import type { SourcePiece } from "./color-source.ts";
import { toFramePlace, toFramePosition } from "./frame-words.ts";
import { toSourceLanguage } from "./source-language.ts";

/**
 * The lines around the failing one. That one is marked with a sign, its weight and its background. The lines are plain at first,
 * and get colours once those are loaded and the lines are in view. Nothing moves then.
 */
export function SourceLines({ frame, platform, isSeen }: { frame: Frame; platform: string; isSeen: boolean }) {
  const colored = useColoredLines(frame, platform, isSeen);
  if (frame.context_line === undefined) return null;
  const before = frame.pre_context?.length ?? 0;
  const first = frame.lineno === undefined ? undefined : frame.lineno - before;
  return (
    <section
      className="source"
      aria-label={`Source of ${toFramePlace(frame) ?? "unknown"}${toFramePosition(frame)}`}
      data-colored={colored !== null || undefined}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard
      tabIndex={0}
    >
      <ol>
        {linesOf(frame).map((line, index) => (
          <li
            // biome-ignore lint/suspicious/noArrayIndexKey: the lines of a file do not move
            key={index}
            className={index === before ? "source-line source-guilty" : "source-line"}
            aria-current={index === before ? "true" : undefined}
          >
            <span className="source-number" aria-hidden="true">
              {first === undefined ? "" : first + index}
            </span>
            <code>{line === "" ? " " : colored?.[index] ? <Pieces pieces={colored[index]} /> : line}</code>
          </li>
        ))}
      </ol>
    </section>
  );
}

function Pieces({ pieces }: { pieces: readonly SourcePiece[] }) {
  return pieces.map(({ text, kind }, index) =>
    kind === null ? (
      text
    ) : (
      // biome-ignore lint/suspicious/noArrayIndexKey: the pieces of a line do not move
      <span key={index} className={`source-${kind}`}>
        {text}
      </span>
    ),
  );
}

function linesOf({ pre_context: before = [], context_line: line = "", post_context: after = [] }: Frame): string[] {
  return [...before, line, ...after];
}

/** The coloured lines. Null until they are loaded, and for languages without colours. */
function useColoredLines(frame: Frame, platform: string, isSeen: boolean): SourcePiece[][] | null {
  const [colored, setColored] = useState<{ of: Frame; lines: SourcePiece[][] } | null>(null);
  const language = frame.context_line === undefined ? null : toSourceLanguage(frame, platform);
  const isWanted = isSeen && language !== null;
  useEffect(() => {
    if (!isWanted || language === null) return;
    let isGone = false;
    const color = async () => {
      // If it cannot be loaded (offline, or a new version is deployed), the lines stay plain.
      const module = await importOptional(() => import("./color-source.ts"));
      const lines = isGone ? null : ((await module?.colorSource(linesOf(frame), language).catch(() => null)) ?? null);
      if (!isGone && lines) setColored({ of: frame, lines });
    };
    // Waits until the page is ready to use.
    const callOff = whenAtRest(() => void color());
    return () => {
      isGone = true;
      callOff();
    };
  }, [frame, language, isWanted]);
  return colored?.of === frame ? colored.lines : null;
}
