import type { Workspace } from "../../access/workspace.ts";
import { cutText } from "../../domain/cut-text.ts";
import { nameSpan } from "../../domain/spans/request-name.ts";
import { type ModelCall, readModelCall } from "../../domain/traces/model-call.ts";
import { showTurns } from "../../domain/traces/show-turns.ts";
import { kindOf, spanIdOf } from "../../domain/traces/trace-spans.ts";
import { toSentSpan } from "../../stores/events/sent-span.ts";
import type { SpanRow } from "../../stores/events/spans.ts";
import { addFilter } from "../explore/explore-options.ts";
import { findProfilePath } from "../profiles/find-profile-path.server.ts";
import { getUsual, type UsualSpan } from "./get-usual.server.ts";
import { type TraceLogLine, toLogLines } from "./list-trace-logs.server.ts";
import { findSpan, keyOfSpan, type ReadTrace } from "./read-trace.server.ts";
import { readTraceId } from "./trace-options.ts";

/** A span with everything that was sent. Times are microseconds. */
export interface SpanDetail {
  id: string;
  op: string | null;
  name: string | null;
  service: string;
  project: string;
  status: string | null;
  startUs: number;
  durationUs: number;
  selfUs: number;
  /** Microseconds since 1970. */
  startedUs: number;
  /** The start as its sender said it. Null: it was not changed. */
  sentStartUs: number | null;
  release: string | null;
  environment: string | null;
  sampleRate: number | null;
  sdk: string | null;
  /** At most `MAX_ATTRIBUTES`. */
  attributes: Array<[key: string, value: string]>;
  attributeCount: number;
  /** Null: the span is not about a language model. */
  modelCall: ModelCall | null;
  parent: { id: string; name: string } | null;
  children: Array<{ id: string; key: string; name: string; durationUs: number }>;
  childCount: number;
  /** `links`: the spans that it links to. `linkedFrom`: the spans that link to it. */
  links: SpanLink[];
  linkedFrom: SpanLink[];
  /** Log lines that were written during the span. If there are a great many, the first ones. */
  logs: TraceLogLine[];
  usual: UsualSpan | null;
  /** The address of the profile of the code that ran in it. Null: none is stored. */
  profilePath: string | null;
  /** A search for spans with the same op and name, ignoring ids and numbers. */
  alike: string;
}

export interface SpanLink {
  traceId: string;
  spanId: string;
  /** The op and name of the span if they are known, otherwise its id. */
  name: string;
}

const MAX_CHILDREN = 20;
const MAX_LINKS = 20;
const MAX_LOGS = 20;
const MAX_ATTRIBUTES = 500;
/** Characters of one value. The raw span has the whole value. */
const MAX_VALUE_LENGTH = 10_000;

/** Null: the trace has no such span. */
export async function getSpan(
  workspace: Workspace,
  { trace, key }: { trace: ReadTrace; key: string },
): Promise<SpanDetail | null> {
  const index = findSpan(trace, key);
  if (index < 0) return null;
  const { tree } = trace;
  const { spans } = tree;
  const spanId = spanIdOf(spans, index);
  const { events, scope, state } = workspace;
  const filter = { projectIds: scope.projectIds, traceId: trace.traceId };
  const [row, projects] = await Promise.all([
    events.readSpan(filter, spans.ordinals[index] as number),
    state.projects.listProjects(scope),
  ]);
  if (row === null) return null;
  const kind = kindOf(spans, index);
  const name = nameSpan(row);
  const parent = tree.parents[index] as number;
  const [usual, linking, profilePath] = await Promise.all([
    getUsual(workspace, row),
    events.findLinkingSpans(scope.projectIds, { spanId, ordinal: spans.ordinals[index] as number }),
    findProfilePath(workspace, row, listSentAttributes(row)),
  ]);
  const ownLogs = toLogLines(trace, { window: null, services: [] }).filter((line) => line.spanId === spanId);
  return {
    id: spanId,
    op: row.op && showTurns(row.op),
    name: name && showTurns(name),
    service: kind.service,
    project: projects.find(({ id }) => id === row.projectId)?.slug ?? "",
    status: row.status,
    startUs: (spans.startedUs[index] as number) - tree.startedUs,
    durationUs: row.durationUs,
    selfUs: tree.selfUs[index] as number,
    startedUs: row.startedUs,
    sentStartUs: row.shiftUs ? row.startedUs - row.shiftUs : null,
    release: row.release,
    environment: row.environment,
    sampleRate: row.sampleRate,
    sdk: row.sdkName === null ? null : [row.sdkName, row.sdkVersion].filter(Boolean).join(" "),
    attributes: listAttributes(row),
    attributeCount: Object.keys(readAttributes(row)).length,
    modelCall: readModelCall(Object.fromEntries(listSentAttributes(row))),
    parent: parent < 0 ? null : { id: spanIdOf(spans, parent), name: nameOf(trace, parent) },
    ...listChildren(trace, index),
    links: listLinks(trace, row),
    linkedFrom: linking.map(({ op, name, ...link }) => ({
      ...link,
      name: showTurns([op, name].filter(Boolean).join(" ")) || link.spanId,
    })),
    logs: ownLogs.slice(0, MAX_LOGS),
    usual,
    profilePath,
    alike: toSearchOfAlike(row),
  };
}

function toSearchOfAlike({ op, nameGroup }: SpanRow): string {
  const ofOp = op === null ? "" : addFilter("", "span.op", op);
  return nameGroup === null ? ofOp : addFilter(ofOp, "span.group", nameGroup);
}

/** The linked spans. Names are only known for spans of the same trace. */
function listLinks(trace: ReadTrace, row: SpanRow): SpanLink[] {
  const { links } = toSentSpan(row);
  if (!Array.isArray(links)) return [];
  return links.slice(0, MAX_LINKS).flatMap((link): SpanLink[] => {
    const traceId = readTraceId(String(link?.trace_id ?? ""));
    const spanId = String(link?.span_id ?? "").toLowerCase();
    if (traceId === null || !/^[0-9a-f]{16}$/.test(spanId)) return [];
    const index = traceId === trace.traceId ? findSpan(trace, spanId) : -1;
    return [{ traceId, spanId, name: index < 0 ? spanId : nameOf(trace, index) }];
  });
}

function listChildren(trace: ReadTrace, index: number): Pick<SpanDetail, "children" | "childCount"> {
  const { tree } = trace;
  const children: SpanDetail["children"] = [];
  for (
    let child = tree.firstChild[index] as number;
    child >= 0 && children.length < MAX_CHILDREN;
    child = tree.nextSibling[child] as number
  ) {
    const durationUs = tree.spans.durationUs[child] as number;
    children.push({
      id: spanIdOf(tree.spans, child),
      key: keyOfSpan(tree, child),
      name: nameOf(trace, child),
      durationUs,
    });
  }
  return { children, childCount: tree.childCounts[index] as number };
}

function nameOf({ tree: { spans } }: ReadTrace, index: number): string {
  const { op, name } = kindOf(spans, index);
  return [op, name].filter(Boolean).join(" ") || spanIdOf(spans, index);
}

/** Attributes as they were sent, sorted by name. */
function listAttributes(row: SpanRow): Array<[string, string]> {
  return listSentAttributes(row).map(([key, value]) => [key, cutText(toText(value), MAX_VALUE_LENGTH)]);
}

/** Attributes as they were sent, without their types, sorted by name. At most `MAX_ATTRIBUTES`. */
export function listSentAttributes(row: SpanRow): Array<[string, unknown]> {
  return Object.entries(readAttributes(row))
    .slice(0, MAX_ATTRIBUTES)
    .map(([key, value]): [string, unknown] => [key, plainValue(value, row.form)])
    .sort(([a], [b]) => (a < b ? -1 : 1));
}

function readAttributes(row: SpanRow): Record<string, unknown> {
  const sent = toSentSpan(row);
  return (sent.data ?? sent.attributes ?? {}) as Record<string, unknown>;
}

/** Removes the type that containers send with each value. */
function plainValue(sent: unknown, form: SpanRow["form"]): unknown {
  return form === "v2" && typeof sent === "object" && sent !== null && "value" in sent ? sent.value : sent;
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : (JSON.stringify(value) ?? "");
}
