import type { SentryException } from "../../domain/event.ts";
import { type ExceptionParts, exceptionKey } from "./exception-parts.ts";

export interface SelectedExceptions {
  /** The exceptions that count, in their order in the key. */
  counted: ExceptionParts[];
  leftOut: Array<{ index: number; reason: "exception-group" | "same-as-another" | "other-branch" | "component-stack" }>;
  /** Index of the exception that the title speaks of. */
  main: number;
}

/**
 * Which exceptions count. A chain counts as a whole. In a tree with groups (Python's `ExceptionGroup`, JavaScript's
 * `AggregateError`) the groups themselves only hold others together: what counts are the first members that are no groups,
 * each kind once. One kind: it is the error, with its own causes. Several: each of them, and the root (protocol 6.4).
 */
export function selectExceptions(
  exceptions: readonly SentryException[],
  parts: readonly ExceptionParts[],
): SelectedExceptions {
  const tree = toTree(exceptions);
  const members = tree === null ? [] : findMembers(exceptions, tree);
  if (tree !== null && members.length > 0) return selectOfGroup(exceptions, parts, tree, members);
  const leftOut: SelectedExceptions["leftOut"] = [];
  const counted = parts.filter(({ index }) => {
    if (!isComponentStack(exceptions[index])) return true;
    leftOut.push({ index, reason: "component-stack" });
    return false;
  });
  if (counted.length === 0) return { counted: [...parts], leftOut: [], main: parts.length - 1 };
  return { counted, leftOut, main: mainOfChain(exceptions, counted.at(-1)?.index ?? 0) };
}

/** Only the `main` of the selection. `toParts` is only called if it depends on which members of a group count. */
export function selectMain(exceptions: readonly SentryException[], toParts: () => readonly ExceptionParts[]): number {
  if (toTree(exceptions) !== null) return selectExceptions(exceptions, toParts()).main;
  const last = exceptions.findLastIndex((exception) => !isComponentStack(exception));
  return last < 0 ? exceptions.length - 1 : mainOfChain(exceptions, last);
}

/**
 * React's SDK adds the stack of components as a cause of its own. The same error in another place of the tree is the same
 * error, so those say nothing for the key.
 */
function isComponentStack(exception: SentryException | undefined): boolean {
  return exception?.type?.startsWith("React ErrorBoundary ") === true;
}

const REACT_RECOVERED =
  /^(?:There was an error (?:while hydrating|during concurrent rendering)|Hydration failed because)/;

/** React wraps what went wrong in the news that it went on: then the cause is the error that people want to read. */
function mainOfChain(exceptions: readonly SentryException[], last: number): number {
  const isWrapper = last > 0 && REACT_RECOVERED.test(exceptions[last]?.value ?? "");
  return isWrapper && !isComponentStack(exceptions[last - 1]) ? last - 1 : last;
}

/** The exceptions as the SDK linked them; positions in the list mean nothing here. */
interface ExceptionTree {
  /** Index of the one without a parent, which is a group. */
  root: number;
  /** Indexes by parent's index, in the order in which the program held them. */
  children: ReadonlyMap<number, number[]>;
}

/** Null if the exceptions do not form a single tree below a group. */
function toTree(exceptions: readonly SentryException[]): ExceptionTree | null {
  if (exceptions.length < 2) return null;
  const indexById = new Map<number, number>();
  for (const [index, { mechanism }] of exceptions.entries()) {
    if (mechanism?.exception_id === undefined || indexById.has(mechanism.exception_id)) return null;
    indexById.set(mechanism.exception_id, index);
  }
  let root: number | null = null;
  const children = new Map<number, number[]>();
  // By id, whatever the list's order is: the SDK numbers exceptions in the order in which the program held them.
  for (const [, index] of [...indexById].sort(([a], [b]) => a - b)) {
    const parentId = exceptions[index]?.mechanism?.parent_id;
    const parent = parentId === undefined ? undefined : indexById.get(parentId);
    if (parent === undefined) {
      if (root !== null) return null;
      root = index;
    } else {
      const siblings = children.get(parent);
      if (siblings === undefined) children.set(parent, [index]);
      else siblings.push(index);
    }
  }
  return root !== null && isGroup(exceptions[root]) ? { root, children } : null;
}

function isGroup(exception: SentryException | undefined): boolean {
  return exception?.mechanism?.is_exception_group === true;
}

/** Indexes of the first on each way down that are no groups. */
function findMembers(exceptions: readonly SentryException[], { root, children }: ExceptionTree): number[] {
  const members: number[] = [];
  const open = [root];
  for (let i = 0; i < open.length; i++) {
    for (const child of children.get(open[i] ?? root) ?? []) {
      if (isGroup(exceptions[child])) open.push(child);
      else members.push(child);
    }
  }
  return members;
}

function selectOfGroup(
  exceptions: readonly SentryException[],
  parts: readonly ExceptionParts[],
  tree: ExceptionTree,
  members: readonly number[],
): SelectedExceptions {
  const byKey = new Map<string, ExceptionParts>();
  for (const index of members) {
    const part = parts[index];
    if (part === undefined) continue;
    const key = exceptionKey(part, part.stack !== null && part.stack.app.length > 0 ? "app" : "system");
    if (!byKey.has(key)) byKey.set(key, part);
  }
  const [only, ...others] = byKey.values();
  let counted: ExceptionParts[];
  let main = tree.root;
  if (only !== undefined && others.length === 0) {
    counted = chainFrom(tree, only.index).flatMap((index) => parts[index] ?? []);
    main = only.index;
  } else {
    // The order in which parallel work failed is random. The order of the keys is not.
    const sorted = [...byKey].sort(([a], [b]) => (a < b ? -1 : 1)).map(([, part]) => part);
    const root = parts[tree.root];
    counted = root === undefined ? sorted : [...sorted, root];
  }
  const isCounted = new Set(counted.map(({ index }) => index));
  const isMember = new Set(members);
  const leftOut = exceptions.flatMap((exception, index): SelectedExceptions["leftOut"] => {
    if (isCounted.has(index)) return [];
    if (isGroup(exception)) return [{ index, reason: "exception-group" }];
    return [{ index, reason: isMember.has(index) ? "same-as-another" : "other-branch" }];
  });
  return { counted, leftOut, main };
}

/** An exception, its first child, the first child of that, and so on. The one that was thrown last is the last. */
function chainFrom({ children }: ExceptionTree, start: number): number[] {
  const chain: number[] = [];
  for (let at: number | undefined = start; at !== undefined; at = children.get(at)?.[0]) chain.push(at);
  return chain.reverse();
}
