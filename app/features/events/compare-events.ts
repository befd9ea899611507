import type { Breadcrumb, Frame, SentryEvent, SentryException, Stacktrace } from "../../domain/event.ts";
import { pickThread } from "../../domain/pick-thread.ts";
import { alignLists } from "./align-lists.ts";
import {
  type ComparedGroup,
  compareGroup,
  compareValues,
  type FlatValues,
  flattenPairs,
  flattenValues,
} from "./compare-values.ts";
import { toFrameFunction, toFramePlace, toFramePosition } from "./frame-words.ts";

/** One section of the comparison of two events. */
export interface ComparedSection {
  id: string;
  title: string;
  /** The word for counting its groups, like `frame`. Null: the groups are only headings. */
  noun: string | null;
  groups: ComparedGroup[];
}

/** Comparisons stop at this number of frames and breadcrumbs. The newest ones are compared. */
const MAX_FRAMES = 300;
const MAX_BREADCRUMBS = 200;
const NO_VALUES: FlatValues = new Map();

/** Compares everything in two events, section by section. Sections that neither event has are left out. */
export function compareEvents(left: SentryEvent, right: SentryEvent): ComparedSection[] {
  const of = (read: (event: SentryEvent) => FlatValues): ComparedGroup[] => compareGroup(null, read(left), read(right));
  const sections: ComparedSection[] = [
    { id: "event", title: "Event", noun: null, groups: of(readFacts) },
    { id: "exception", title: "Exception and message", noun: null, groups: compareExceptions(left, right) },
    { id: "stack", title: "Stack trace", noun: "frame", groups: compareStacks(left, right) },
    { id: "tags", title: "Tags", noun: null, groups: of(readTags) },
    { id: "user", title: "User", noun: null, groups: of(({ user }) => flattenValues({ ...user })) },
    { id: "request", title: "Request", noun: null, groups: of(readRequest) },
    { id: "contexts", title: "Contexts", noun: null, groups: compareContexts(left, right) },
    { id: "extra", title: "Additional data", noun: null, groups: of(({ extra }) => flattenValues({ ...extra })) },
    { id: "breadcrumbs", title: "Breadcrumbs", noun: null, groups: compareBreadcrumbs(left, right) },
    { id: "packages", title: "Packages and SDK", noun: null, groups: of(readPackages) },
  ];
  return sections.filter(({ groups }) => groups.length > 0);
}

/** The number of values that differ, and of values that are the same. A frame that only one event has counts as one difference. */
export function countDifferences(sections: readonly ComparedSection[]): { differing: number; same: number } {
  const sum = { differing: 0, same: 0 };
  for (const group of sections.flatMap(({ groups }) => groups)) {
    if (group.side !== "both") sum.differing++;
    else for (const { isSame } of group.values) sum[isSame ? "same" : "differing"]++;
  }
  return sum;
}

function readFacts(event: SentryEvent): FlatValues {
  const { level, release, dist, environment, transaction, server_name, logger, platform } = event;
  return flattenValues({ level, release, dist, environment, transaction, server_name, logger, platform });
}

/** The tags without those that repeat other parts of the event. */
function readTags(event: SentryEvent): FlatValues {
  const facts = readFacts(event);
  return flattenPairs((event.tags ?? []).filter(([key, value]) => key !== "user" && facts.get(key) !== value));
}

function compareExceptions(left: SentryEvent, right: SentryEvent): ComparedGroup[] {
  const message = compareGroup(null, readMessage(left), readMessage(right));
  const exceptions = alignLists(listExceptions(left), listExceptions(right), [
    ({ type, value }) => `${type} ${value}`,
    ({ type }) => type ?? "",
  ]);
  return [
    ...message,
    ...exceptions.flatMap((pair) =>
      compareGroup(
        (pair.left ?? pair.right)?.type ?? "Exception",
        pair.left ? readException(pair.left) : NO_VALUES,
        pair.right ? readException(pair.right) : NO_VALUES,
      ),
    ),
  ];
}

/** Exceptions, the one that was thrown last first. */
function listExceptions(event: SentryEvent): SentryException[] {
  return [...(event.exception?.values ?? [])].reverse();
}

function readMessage({ logentry }: SentryEvent): FlatValues {
  return flattenValues({ message: logentry?.formatted ?? logentry?.message, params: logentry?.params });
}

function readException({ type, value, module, mechanism }: SentryException): FlatValues {
  const { type: kind, handled, data } = mechanism ?? {};
  return flattenValues({ type, value, module, mechanism: kind, handled, data });
}

interface NamedFrame {
  frame: Frame;
  /** The type of the exception that the frame belongs to, if there are several exceptions. */
  of: string | null;
}

function compareStacks(left: SentryEvent, right: SentryEvent): ComparedGroup[] {
  const pairs = alignLists(listFrames(left), listFrames(right), [
    ({ frame, of }) => `${of} ${toFramePlace(frame)} ${toFrameFunction(frame)}`,
    ({ frame, of }) => `${of} ${frame.function ?? toFramePlace(frame)}`,
  ]);
  return pairs.map((pair): ComparedGroup => {
    const shown = (pair.left ?? pair.right) as NamedFrame;
    const place = toFramePlace(shown.frame);
    const title = `${shown.of === null ? "" : `${shown.of}: `}${place === null ? "" : `${place} in `}${toFrameFunction(shown.frame)}`;
    const side = pair.left === null ? "right" : pair.right === null ? "left" : "both";
    return { title, side, values: compareValues(readFrame(pair.left), readFrame(pair.right)) };
  });
}

/** Frames, the newest call first. */
function listFrames(event: SentryEvent): NamedFrame[] {
  const exceptions = listExceptions(event);
  const stacks: Array<{ of: string | null; stack: Stacktrace | undefined }> =
    exceptions.length > 0
      ? exceptions.map(({ type, stacktrace }) => ({
          of: exceptions.length > 1 ? (type ?? "Exception") : null,
          stack: stacktrace,
        }))
      : [{ of: null, stack: event.stacktrace ?? pickThread(event)?.stacktrace }];
  return stacks
    .flatMap(({ of, stack }) => [...(stack?.frames ?? [])].reverse().map((frame) => ({ frame, of })))
    .slice(0, MAX_FRAMES);
}

/** The values of a frame without its addresses, which differ in every process. */
function readFrame(named: NamedFrame | null): FlatValues {
  if (named === null) return NO_VALUES;
  const { frame } = named;
  return flattenValues({
    file: toFramePlace(frame),
    line: toFramePosition(frame).replace(/^[: ]/, "") || undefined,
    function: toFrameFunction(frame),
    source: frame.context_line?.trim(),
    "in app": frame.in_app,
    variables: frame.vars,
  });
}

function readRequest({ request }: SentryEvent): FlatValues {
  if (!request) return NO_VALUES;
  const { method, url, query_string, fragment, data, headers, cookies, env } = request;
  return flattenValues({
    method,
    url,
    query: toObject(query_string),
    fragment,
    body: data === "" ? undefined : data,
    header: toObject(headers),
    cookie: toObject(cookies),
    env,
  });
}

function toObject(pairs: ReadonlyArray<[string, unknown]> | undefined): Record<string, unknown> | undefined {
  return pairs?.length ? Object.fromEntries(flattenPairs(pairs)) : undefined;
}

function compareContexts(left: SentryEvent, right: SentryEvent): ComparedGroup[] {
  const names = new Set([...Object.keys(left.contexts ?? {}), ...Object.keys(right.contexts ?? {})]);
  return [...names].sort().flatMap((name) => {
    const read = ({ contexts }: SentryEvent) => {
      const { type, ...values } = contexts?.[name] ?? {};
      return flattenValues(type === undefined || type === name ? values : { type, ...values });
    };
    return compareGroup(name, read(left), read(right));
  });
}

/** The time of a breadcrumb is not compared: it is the name of its line. */
function compareBreadcrumbs(left: SentryEvent, right: SentryEvent): ComparedGroup[] {
  const list = (event: SentryEvent) =>
    (event.breadcrumbs?.values ?? []).slice(-MAX_BREADCRUMBS).map((crumb) => ({
      kind: crumb.category ?? crumb.type,
      text: toText(crumb),
      seconds: crumb.timestamp === undefined ? null : crumb.timestamp - event.timestamp,
    }));
  const pairs = alignLists(list(left), list(right), [({ kind, text }) => `${kind} ${text}`, ({ kind }) => kind]);
  if (pairs.length === 0) return [];
  const values = pairs.map((pair) => {
    const seconds = (pair.left ?? pair.right)?.seconds ?? null;
    return {
      name: seconds === null ? "" : `${seconds <= 0 ? "−" : "+"}${Math.abs(seconds).toFixed(1)} s`,
      left: pair.left ? `${pair.left.kind}: ${pair.left.text}` : null,
      right: pair.right ? `${pair.right.kind}: ${pair.right.text}` : null,
      isSame: pair.left?.text === pair.right?.text && pair.left?.kind === pair.right?.kind,
    };
  });
  return [{ title: null, side: "both", values }];
}

function toText({ message, data, level }: Breadcrumb): string {
  const said = level === "info" ? "" : `[${level}] `;
  const more = data && Object.keys(data).length > 0 ? JSON.stringify(data) : "";
  return `${said}${[message, more].filter(Boolean).join(" ")}`.slice(0, 1_000).toWellFormed();
}

function readPackages({ modules, sdk }: SentryEvent): FlatValues {
  const { name, version, packages, integrations, features } = sdk ?? {};
  const versions = packages?.map((each) => [each.name, each.version ?? ""] as const);
  return new Map([
    ...flattenValues({
      sdk: name,
      "sdk version": version,
      integrations: integrations?.toSorted().join(", "),
      features: features?.toSorted().join(", "),
    }),
    ...flattenPairs(versions ?? []),
    ...flattenPairs(Object.entries(modules ?? {})),
  ]);
}
