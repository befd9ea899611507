import type { Frame, Stacktrace } from "../../domain/event.ts";
import type { StackPlace } from "../../domain/symbolication.ts";
import { FrameRow } from "./frame-row.tsx";
import { findCrashFrame, layoutFrames, type PlacedFrame } from "./layout-frames.ts";
import type { StackView } from "./stack-options.ts";

/** The frames of one stack. `groupedFrames`: indexes of the frames that formed the key. */
export function StackTrace({
  stacktrace,
  view,
  groupedFrames,
  label,
  place,
}: {
  stacktrace: Stacktrace;
  view: StackView;
  groupedFrames: ReadonlySet<number>;
  /** Name of the list for screen readers: the exception or thread that it belongs to. */
  label: string;
  /** The place of the stack in the event. */
  place: StackPlace;
}) {
  const { frames } = stacktrace;
  const openIndex = findCrashFrame(frames);
  const blocks = layoutFrames(frames, { order: view.order, isFull: view.form === "full" });
  const row = (placed: PlacedFrame) => (
    <FrameRow
      key={placed.index}
      placed={placed}
      isOpen={placed.index === openIndex}
      isGrouped={groupedFrames.has(placed.index)}
      place={place}
    />
  );
  return (
    <ol className="stack" aria-label={`Stack trace of ${label}, ${view.order} call first`}>
      {blocks.map((block) =>
        block.kind === "frame" ? (
          row(block.placed)
        ) : (
          <li key={`folded ${block.frames[0]?.index}`}>
            <details className="stack-folded">
              <summary>
                {block.frames.length} frames outside the application
                <span className="stack-folded-names">{toNames(block.frames.map((one) => one.frame))}</span>
              </summary>
              <ol className="stack">{block.frames.map(row)}</ol>
            </details>
          </li>
        ),
      )}
      {stacktrace.frames_omitted && <li className="stack-note">{toOmissionSentence(stacktrace.frames_omitted)}</li>}
    </ol>
  );
}

/** The end of the range is the first frame that is stored again. */
function toOmissionSentence([from, to]: [from: number, to: number]): string {
  return `${to - from} frames between these are not stored: ${from + 1} to ${to}, counted from where the stack begins.`;
}

/** The names of the libraries in a fold, as far as there is room. */
function toNames(frames: Frame[]): string {
  const names = new Set<string>();
  for (const { module, package: image, filename } of frames) {
    const inModules = /(?:node_modules|site-packages|dist-packages|gems|vendor)[/\\]((?:@[^/\\]+[/\\])?[^/\\]+)/.exec(
      filename ?? "",
    )?.[1];
    const name =
      inModules ??
      module?.split(/[.:/]/).slice(0, 2).join(".") ??
      image?.split(/[/\\]/).at(-1) ??
      filename?.split(/[/\\]/)[0];
    if (name) names.add(name);
    if (names.size > 4) break;
  }
  const shown = [...names].slice(0, 4).join(", ");
  return names.size > 4 ? `${shown}, …` : shown;
}
