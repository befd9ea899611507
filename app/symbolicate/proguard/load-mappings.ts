import { MAX_MISSING_OF_EVENT } from "../../domain/issues/missing-source-maps.ts";
import type { MappingReport, WantedMap } from "../../domain/symbolication.ts";
import type { FoundStack, SymbolicationEvent } from "../collect-frames.ts";
import { type ResolveContext, toFoundFile } from "../resolve-files.ts";
import { toDebugId } from "../source-map.ts";
import { collectJavaStacks } from "./java-stacks.ts";
import type { ProguardMapping } from "./proguard-mapping.ts";

/** An app has one mapping, or one for each of its modules. */
const MAX_MAPPINGS = 10;

/** A mapping that an event names. */
export interface MappingWork {
  report: MappingReport;
  /** Null: it was not uploaded, or cannot be read. */
  mapping: ProguardMapping | null;
}

/** The mappings that an event names for its Java and Kotlin code, at most 10; nothing is looked up yet. Empty: it has no such code. */
export function collectMappings(event: SymbolicationEvent): MappingWork[] {
  const ids = collectMappingIds(event);
  if (ids.length === 0 || collectJavaStacks(event).length === 0) return [];
  return ids.map((debugId) => ({
    report: { debugId, state: "not_uploaded_yet", file: null, problem: null },
    mapping: null,
  }));
}

export function namesMapping(event: SymbolicationEvent): boolean {
  return collectMappings(event).length > 0;
}

function collectMappingIds(event: SymbolicationEvent): string[] {
  const ids = new Set<string>();
  for (const { type, uuid } of event.debug_meta?.images ?? []) {
    const id = type === "proguard" ? toDebugId(uuid) : null;
    if (id !== null && ids.size < MAX_MAPPINGS) ids.add(id);
  }
  return [...ids];
}

/** Finds and reads the uploads of the mappings. Fills their reports. A late event gets those that were read in time. */
export async function loadMappings(works: readonly MappingWork[], context: ResolveContext): Promise<void> {
  if (works.length === 0) return;
  const { lookups, projectId } = context;
  const uploads = await lookups.byDebugId(
    projectId,
    works.map(({ report }) => report.debugId),
  );
  for (const work of works) {
    const { report } = work;
    const file = uploads.get(report.debugId)?.find(({ type }) => type === "proguard_mapping");
    if (file === undefined) continue;
    report.file = toFoundFile(file);
    report.state = "timed_out";
    const answer = await context.files.getProguardMapping(file, context.turns);
    if (answer === null || context.isLate()) continue;
    if (answer.kind === "refused") {
      report.state = answer.isGone ? "missing" : "mismatch";
      report.problem = answer.problem;
      continue;
    }
    const taken = context.share.take(answer.mapping);
    if (taken === "event-has-too-much") {
      report.state = "mismatch";
      report.problem = "the mappings of this event are too large together to be read at once";
    }
    if (taken !== "held") continue;
    report.state = "found";
    work.mapping = answer.mapping;
  }
}

/** The mappings that an upload could bring. */
export function listWantedMappings(event: SymbolicationEvent, works: readonly MappingWork[]): WantedMap[] {
  const missing = works.filter(({ report }) => report.state !== "found" && report.state !== "timed_out");
  return missing.slice(0, MAX_MISSING_OF_EVENT).map(({ report }) => toWanted(event, report));
}

function toWanted(event: SymbolicationEvent, { debugId }: MappingReport): WantedMap {
  return {
    type: "proguard_mapping",
    debugId,
    release: event.release ?? null,
    dist: event.dist ?? null,
    sampleUrl: sampleClass(collectJavaStacks(event)),
    isForeign: false,
  };
}

/** The class of the frame that threw. */
function sampleClass(stacks: readonly FoundStack[]): string {
  return stacks.at(-1)?.raw.frames.findLast(({ module }) => module !== undefined)?.module ?? "";
}
