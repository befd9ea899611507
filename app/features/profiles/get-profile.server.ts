import { setImmediate as nextTurn } from "node:timers/promises";
import type { Workspace } from "../../access/workspace.ts";
import { MIB } from "../../domain/bytes.ts";
import { type MergedStacks, mergeStacks, type ProfileFunction } from "../../domain/profiles/merge-stacks.ts";
import type { Profile } from "../../domain/profiles/profile.ts";
import { MAX_DEPTH, MAX_SAMPLES, type ProfileFault, readProfile } from "../../domain/profiles/read-profile.ts";
import { listThreads, type ProfileWindow, weighSamples } from "../../domain/profiles/weigh-samples.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import { parseJson } from "../../protocol/parse-json.ts";
import { decodeStoredItem } from "../../protocol/stored-item.ts";
import type { ItemRow } from "../../stores/events/items.ts";
import { formatDuration } from "../../ui/format-duration.ts";
import { findTransactionPath } from "../events/find-transaction-path.server.ts";
import { addFilter } from "../explore/explore-options.ts";
import { toTracePath } from "../traces/trace-options.ts";
import type { FunctionOrder, ProfileOptions } from "./profile-options.ts";
import type { DrawnProfile, ProfileView } from "./profile-view.ts";

/** The most bytes and files that are read for a page. Parsing more would hold up other requests. */
const MAX_BYTES = 8 * MIB;
const MAX_FILES = 60;
/** Files of a profiler that are searched for a time: more than a day of chunks of a minute. */
const MAX_SEARCHED_FILES = 2_000;
const MAX_LISTED_THREADS = 100;
const MAX_LISTED_FUNCTIONS = 100;
/** The longest time between the first sample of a chunk and its arrival: SDKs end a chunk after a minute. */
const MAX_CHUNK_DELAY_MS = 3 * MINUTE_MS;
const MAX_CLOCK_DRIFT_MS = MINUTE_MS;

const FAULTS: Record<ProfileFault, string> = {
  "android-trace": "a method trace of the Android runtime, which Culprit cannot draw",
  "no-samples": "no samples, stacks or frames",
  unreadable: "no sample whose time, thread and stack can be read",
};

/** The profile in these files, as a page draws it. Null: none of them is a profile. */
export async function getProfile(
  workspace: Workspace,
  { id, rows, options }: { id: string; rows: readonly ItemRow[]; options: ProfileOptions },
): Promise<ProfileView | null> {
  const first = rows.find(isProfile);
  if (first === undefined) return null;
  const files = await listDrawnFiles(workspace, { first, rows, window: options.window });
  const { profiles, problems } = await readFiles(workspace, files);
  const { scope, state } = workspace;
  const projects = await state.projects.listProjects(scope);
  const drawn = await draw(profiles, options);
  if (drawn.profile === null && profiles.length > 0)
    problems.push("No sample was taken in the time that is looked at.");
  problems.push(...drawn.problems);
  const { transaction = null, platform = null } = profiles[0] ?? {};
  return {
    id,
    form: first.type === "profile" ? "transaction" : "chunk",
    options,
    platform,
    release: first.release,
    environment: first.environment,
    project: projects.find((project) => project.id === first.projectId)?.slug ?? null,
    transaction: transaction?.name ?? (first.type === "profile" ? first.name : null),
    tracePath:
      (transaction?.id && (await findTransactionPath(workspace, transaction.id))) ||
      (first.type === "profile" && first.traceId ? toTracePath(first.traceId) : null),
    spansPath: first.type === "profile" ? null : `/traces?q=${addFilter("", "sentry.profiler_id", id)}`,
    drawn: drawn.profile,
    problems,
  };
}

function isProfile({ type }: ItemRow): boolean {
  return type !== "attachment";
}

/** The files to draw: the profile of a transaction, or the chunks of a page of files or of a time. */
async function listDrawnFiles(
  { events, scope }: Workspace,
  { first, rows, window }: { first: ItemRow; rows: readonly ItemRow[]; window: ProfileWindow | null },
): Promise<ItemRow[]> {
  const { type, eventId } = first;
  if (type === "profile" || eventId === null) return [first];
  if (window === null) return rows.filter((row) => row.type === type);
  const from = window.fromUs / 1_000 - MAX_CLOCK_DRIFT_MS;
  const to = window.toUs / 1_000 + MAX_CHUNK_DELAY_MS;
  const { projectIds } = scope;
  const all = await events.listItems({ projectIds, eventId, types: [type], limit: MAX_SEARCHED_FILES });
  return all.filter(({ receivedAt }) => receivedAt >= from && receivedAt <= to);
}

/** Reads the files one after another, so that other requests run in between. */
async function readFiles(
  { payloads }: Workspace,
  rows: readonly ItemRow[],
): Promise<{ profiles: Profile[]; problems: string[] }> {
  const profiles: Profile[] = [];
  const faults = new Map<string, number>();
  let bytes = 0;
  for (const [index, row] of rows.entries()) {
    const isLarge = row.payloadBytes > MAX_BYTES;
    if (!isLarge) bytes += row.payloadBytes;
    if (bytes > MAX_BYTES || index === MAX_FILES) {
      faults.set("there are too many for one page", rows.length - index);
      break;
    }
    const read = isLarge ? "more than 8 MiB" : await readFile(payloads, row);
    if (typeof read === "string") faults.set(read, (faults.get(read) ?? 0) + 1);
    else profiles.push(read);
  }
  const problems = [...faults].map(
    ([fault, count]) => `${count === 1 ? "1 file is" : `${count.toLocaleString("en")} files are`} not drawn: ${fault}.`,
  );
  return { profiles, problems };
}

/** The profile in a file, or a text that says why it cannot be drawn. */
async function readFile(payloads: Workspace["payloads"], row: ItemRow): Promise<Profile | string> {
  const payload = await payloads.read(row.payload);
  if (payload === null) return "it is gone or damaged";
  const parsed = parseJson(decodeStoredItem(payload).payload);
  if (!parsed.ok) return "it is not JSON";
  await nextTurn();
  const read = readProfile(parsed.value);
  return read.ok ? read.profile : FAULTS[read.reason];
}

/** In steps, because a hostile profile takes a second in all. */
async function draw(
  profiles: readonly Profile[],
  { thread: wanted, window, order }: ProfileOptions,
): Promise<{ profile: DrawnProfile | null; problems: string[] }> {
  const all = listThreads(profiles, window);
  const thread = all.find(({ id }) => id === wanted) ?? all[0];
  if (thread === undefined) return { profile: null, problems: [] };
  await nextTurn();
  const weighed = weighSamples(profiles, { thread: thread.id, window });
  await nextTurn();
  const merged = mergeStacks(weighed.stacks);
  return {
    profile: {
      threads: all.slice(0, MAX_LISTED_THREADS),
      threadCount: all.length,
      thread,
      durationUs: weighed.durationUs,
      totalUs: merged.totalUs,
      idleUs: merged.idleUs,
      startedAt: profiles[0]?.form === "chunk" && weighed.startedUs !== null ? weighed.startedUs / 1_000 : null,
      ...keepFunctions(merged, listFunctions(merged.functions, order)),
      rowCount: merged.rowCount,
      functionCount: merged.functions.length,
    },
    problems: listLosses(profiles, merged, weighed.pausedUs),
  };
}

/** Indexes of the functions that took most time. */
function listFunctions(functions: readonly ProfileFunction[], order: FunctionOrder): number[] {
  const usOf = (index: number) => functions[index]?.[order === "self" ? "selfUs" : "totalUs"] ?? 0;
  const otherUsOf = (index: number) => functions[index]?.[order === "self" ? "totalUs" : "selfUs"] ?? 0;
  return [...functions.keys()]
    .sort((a, b) => usOf(b) - usOf(a) || otherUsOf(b) - otherUsOf(a))
    .slice(0, MAX_LISTED_FUNCTIONS);
}

/** Keeps only the functions that calls or the table use, and renumbers them. */
function keepFunctions(
  { functions, calls }: MergedStacks,
  listed: readonly number[],
): Pick<DrawnProfile, "functions" | "calls" | "listed"> {
  const places = new Map([...new Set([...listed, ...calls.map((call) => call.function)])].map((old, at) => [old, at]));
  const placeOf = (index: number) => places.get(index) as number;
  return {
    functions: [...places.keys()].map((index) => functions[index] as ProfileFunction),
    calls: calls.map((call) => ({ ...call, function: placeOf(call.function) })),
    listed: listed.map(placeOf),
  };
}

function listLosses(profiles: readonly Profile[], merged: MergedStacks, pausedUs: number): string[] {
  const sum = (key: keyof Profile["leftOut"]) => profiles.reduce((all, { leftOut }) => all + leftOut[key], 0);
  const say = (count: number, noun: string, words: string) =>
    count > 0 ? [`${count.toLocaleString("en")} ${count === 1 ? noun : `${noun}s`} ${words}`] : [];
  return [
    ...say(sum("unreadable"), "sample", "cannot be read: time, thread or stack is missing or wrong."),
    ...say(
      sum("beyond"),
      "sample",
      `left out: of a file, only the first ${MAX_SAMPLES.toLocaleString("en")} are read.`,
    ),
    ...say(sum("cutStacks"), "stack", `deeper than ${MAX_DEPTH} frames, without the innermost ones.`),
    ...say(merged.callsLeftOut, "call", "too short or too deep to be drawn. The table of functions counts them."),
    ...(merged.leftOutUs > 0
      ? [`${formatDuration(merged.leftOutUs)} are left out: there are too many different stacks.`]
      : []),
    ...(pausedUs > 0 ? [`The profiler did not run for ${formatDuration(pausedUs)} of this time.`] : []),
  ];
}
