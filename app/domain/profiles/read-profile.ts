import { cutText } from "../cut-text.ts";
import type { Frame } from "../event.ts";
import { decideInApp, readStackWords } from "../in-app.ts";
import { isRecord } from "../is-record.ts";
import { showTurns } from "../traces/show-turns.ts";
import type { Profile, ProfiledTransaction, ProfileFrame, ProfileLosses, ProfileSample } from "./profile.ts";

/** Per file. An SDK takes a hundred samples a second of each thread. */
export const MAX_SAMPLES = 200_000;
const MAX_FRAMES = 100_000;
const MAX_STACKS = 100_000;
/** Frames of one stack. */
export const MAX_DEPTH = 500;
const MAX_THREADS = 1_000;
const MAX_NAME_LENGTH = 500;
/** A page says both for each call that is drawn. */
const MAX_FUNCTION_LENGTH = 120;
const MAX_PATH_LENGTH = 120;
const MAX_ID_LENGTH = 64;
/** Some hundred years, in microseconds. */
const MAX_TIME_US = 4e15;

export type ReadProfile = { ok: true; profile: Profile } | { ok: false; reason: ProfileFault };

/** Why a profile cannot be drawn. */
export type ProfileFault =
  /** Method traces of the Android runtime, in a binary form. */
  | "android-trace"
  /** Samples, stacks or frames are missing, or are not lists. */
  | "no-samples"
  /** None of its samples can be read. */
  | "unreadable";

/** Reads a profile of an SDK: of a transaction (version 1) or a chunk (version 2). Nothing in it is trusted. */
export function readProfile(value: unknown): ReadProfile {
  const sent = isRecord(value) ? value : {};
  const body = isRecord(sent.profile) ? sent.profile : {};
  const { samples, stacks, frames } = body;
  if (!Array.isArray(samples) || !Array.isArray(stacks) || !Array.isArray(frames) || samples.length === 0)
    return { ok: false, reason: typeof sent.sampled_profile === "string" ? "android-trace" : "no-samples" };
  const platform = toName(sent.platform);
  const leftOut: ProfileLosses = { unreadable: 0, beyond: Math.max(0, samples.length - MAX_SAMPLES), cutStacks: 0 };
  const readFrames = listFrames(frames.slice(0, MAX_FRAMES), platform ?? "other");
  const readStacks = stacks.slice(0, MAX_STACKS).map((stack) => readStack(stack, readFrames.length, leftOut));
  const readSamples: ProfileSample[] = [];
  for (const each of samples.slice(0, MAX_SAMPLES)) {
    const sample = readSample(each, readStacks);
    if (sample) readSamples.push(sample);
    else leftOut.unreadable++;
  }
  if (readSamples.length === 0) return { ok: false, reason: "unreadable" };
  // Phones send several that ran in the same time.
  const transaction = sent.transaction ?? (Array.isArray(sent.transactions) ? sent.transactions[0] : null);
  return {
    ok: true,
    profile: {
      form: sent.profiler_id === undefined ? "transaction" : "chunk",
      platform,
      release: toName(sent.release),
      environment: toName(sent.environment),
      transaction: isRecord(transaction) ? readTransaction(transaction) : null,
      activeThread: isRecord(transaction) ? toId(transaction.active_thread_id) : null,
      threadNames: readThreadNames(body.thread_metadata),
      frames: readFrames,
      stacks: readStacks.map((stack) => stack ?? []),
      samples: readSamples,
      leftOut,
    },
  };
}

function readTransaction({ id, name, trace_id: traceId }: Record<string, unknown>): ProfiledTransaction {
  return { id: toName(id), name: toName(name), traceId: toName(traceId) };
}

/** Null: it names frames that are not there. */
function readStack(value: unknown, frameCount: number, leftOut: ProfileLosses): number[] | null {
  if (!Array.isArray(value)) return null;
  if (value.length > MAX_DEPTH) leftOut.cutStacks++;
  const stack = value.slice(-MAX_DEPTH);
  return stack.every((index) => isIndex(index, frameCount)) ? stack : null;
}

function readSample(value: unknown, stacks: ReadonlyArray<readonly number[] | null>): ProfileSample | null {
  if (!isRecord(value)) return null;
  const atUs = readTime(value);
  const thread = toId(value.thread_id);
  const { stack_id: stack } = value;
  if (atUs === null || thread === null || !isIndex(stack, stacks.length) || !stacks[stack]) return null;
  return { atUs, thread, stack };
}

/** Seconds of a chunk, nanoseconds of a transaction, which many SDKs send as text. */
function readTime({ timestamp, elapsed_since_start_ns: elapsedNs }: Record<string, unknown>): number | null {
  const us = elapsedNs === undefined ? toNumber(timestamp) * 1e6 : toNumber(elapsedNs) / 1e3;
  return us >= 0 && us <= MAX_TIME_US ? us : null;
}

function toNumber(value: unknown): number {
  if (typeof value === "string" && /^\d{1,20}(?:\.\d{1,20})?$/.test(value)) return Number(value);
  return typeof value === "number" ? value : Number.NaN;
}

function isIndex(value: unknown, length: number): value is number {
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < length;
}

function listFrames(values: readonly unknown[], platform: string): ProfileFrame[] {
  const frames = values.map(toFrame);
  const words = readStackWords(frames);
  return frames.map((frame) => ({
    name: cutText(nameOf(frame), MAX_FUNCTION_LENGTH),
    module: frame.module ?? frame.package ?? null,
    file: toPath(frame.filename ?? frame.abs_path),
    line: frame.lineno ?? null,
    isInApp: decideInApp(frame, platform, words),
  }));
}

function nameOf(frame: Frame): string {
  const isInFile = frame.filename !== undefined || frame.abs_path !== undefined;
  return frame.function ?? frame.instruction_addr ?? (isInFile ? "(anonymous)" : "(unknown)");
}

/** The parts of a frame that are used. */
function toFrame(value: unknown): Frame {
  const sent = isRecord(value) ? value : {};
  const frame: Frame = {};
  for (const key of [
    "function",
    "module",
    "package",
    "filename",
    "abs_path",
    "instruction_addr",
    "platform",
  ] as const) {
    const text = toName(sent[key]);
    if (text !== null) frame[key] = text;
  }
  if (typeof sent.in_app === "boolean") frame.in_app = sent.in_app;
  if (isIndex(sent.lineno, Number.MAX_SAFE_INTEGER) && sent.lineno > 0) frame.lineno = sent.lineno;
  return frame;
}

function readThreadNames(value: unknown): Map<string, string> {
  const names = new Map<string, string>();
  if (!isRecord(value)) return names;
  for (const [id, thread] of Object.entries(value).slice(0, MAX_THREADS)) {
    const name = isRecord(thread) ? toName(thread.name) : null;
    if (name !== null) names.set(id, name);
  }
  return names;
}

function toName(value: unknown): string | null {
  return typeof value === "string" && value.trim() !== "" ? showTurns(cutText(value.trim(), MAX_NAME_LENGTH)) : null;
}

/** The end of a path says more than its beginning. */
function toPath(value: string | undefined): string | null {
  if (value === undefined) return null;
  return value.length > MAX_PATH_LENGTH ? `…${value.slice(-MAX_PATH_LENGTH)}` : value;
}

function toId(value: unknown): string | null {
  if (typeof value === "number" && Number.isFinite(value)) return String(value);
  return typeof value === "string" && value !== "" ? value.slice(0, MAX_ID_LENGTH) : null;
}
