import type { Frame } from "../../domain/event.ts";

/** A frame with its place in the event. Links and grouping explanations refer to the place. */
export interface PlacedFrame {
  frame: Frame;
  index: number;
  /** How often the frame is repeated in a row. Recursion is shown once. */
  repeatCount: number;
}

export type StackBlock =
  | { kind: "frame"; placed: PlacedFrame }
  /** Frames that are not the application's, folded into one line. */
  | { kind: "folded"; frames: PlacedFrame[] };

export interface StackOptions {
  order: "newest" | "oldest";
  /** False: frames outside the application are folded, except the one that failed. */
  isFull: boolean;
}

/** Shorter runs of frames are not folded. */
const MIN_FOLDED = 2;

/** Frames in reading order. Repeated frames are joined, and frames outside the application are folded. */
export function layoutFrames(frames: readonly Frame[], { order, isFull }: StackOptions): StackBlock[] {
  const placed = joinRepeats(frames);
  const crashed = placed.at(-1);
  const hasOwn = frames.some((frame) => frame.in_app);
  const blocks: StackBlock[] = [];
  let run: PlacedFrame[] = [];
  const endRun = () => {
    if (run.length >= MIN_FOLDED) blocks.push({ kind: "folded", frames: run });
    else blocks.push(...run.map((one): StackBlock => ({ kind: "frame", placed: one })));
    run = [];
  };
  for (const one of placed) {
    if (!isFull && hasOwn && !one.frame.in_app && one !== crashed) {
      run.push(one);
      continue;
    }
    endRun();
    blocks.push({ kind: "frame", placed: one });
  }
  endRun();
  if (order === "oldest") return blocks;
  return blocks
    .reverse()
    .map((block) => (block.kind === "folded" ? { kind: "folded", frames: [...block.frames].reverse() } : block));
}

/** The index of the frame that is opened by default: the last one of the application, otherwise the last one. -1 without frames. */
export function findCrashFrame(frames: readonly Frame[]): number {
  const own = frames.findLastIndex((frame) => frame.in_app);
  return own === -1 ? frames.length - 1 : own;
}

function joinRepeats(frames: readonly Frame[]): PlacedFrame[] {
  const placed: PlacedFrame[] = [];
  frames.forEach((frame, index) => {
    const last = placed.at(-1);
    if (last && isSameCall(last.frame, frame)) {
      last.repeatCount += 1;
      // Keeps the innermost one, whose variables are those of the failure.
      last.frame = frame;
      last.index = index;
    } else {
      placed.push({ frame, index, repeatCount: 1 });
    }
  });
  return placed;
}

function isSameCall(a: Frame, b: Frame): boolean {
  return (
    a.function !== undefined &&
    a.function === b.function &&
    a.module === b.module &&
    a.filename === b.filename &&
    a.abs_path === b.abs_path &&
    a.package === b.package &&
    a.lineno === b.lineno &&
    a.colno === b.colno &&
    a.instruction_addr === b.instruction_addr
  );
}
