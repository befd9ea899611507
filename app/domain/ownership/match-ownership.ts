import { type CodeMapping, toRepositoryPath } from "../code-mapping.ts";
import type { Frame, SentryEvent } from "../event.ts";
import { type Glob, type MatchBudget, matchesGlob } from "../grouping-rules/glob.ts";
import type { OwnershipRule } from "./ownership-rules.ts";

/** The facts about one event that ownership rules look at. */
export interface OwnedFacts {
  /** File paths as frames name them, and as paths in the repository. With slashes. */
  paths: readonly string[];
  modules: readonly string[];
  url: string | null;
  tags: ReadonlyMap<string, string>;
  /** Within the repository, of frames of the application. */
  repositoryPaths: readonly string[];
}

/** Steps per event: ten milliseconds or so at most. */
const MAX_STEPS = 2_000_000;
/** Distinct texts of one kind that are looked at, from the crash on. */
const MAX_TEXTS = 500;

/** @param mappings code mappings of the project */
export function readOwnedFacts(event: SentryEvent, mappings: readonly CodeMapping[]): OwnedFacts {
  const paths = new Set<string>();
  const modules = new Set<string>();
  const repositoryPaths = new Set<string>();
  for (const frame of listFrames(event)) {
    const inRepository = toRepositoryPath(mappings, frame);
    for (const path of [frame.filename, frame.abs_path, inRepository])
      if (path && paths.size < MAX_TEXTS) paths.add(path.replaceAll("\\", "/"));
    if (frame.module && modules.size < MAX_TEXTS) modules.add(frame.module);
    if (frame.in_app && inRepository !== null && repositoryPaths.size < MAX_TEXTS) repositoryPaths.add(inRepository);
  }
  const { level, environment, release, logger, transaction, server_name, request } = event;
  const own = Object.entries({ level, environment, release, logger, transaction, server_name });
  const tags = new Map(own.flatMap(([key, value]) => (value ? [[key, value] as const] : [])));
  for (const [key, value] of event.tags ?? []) tags.set(key, value);
  return {
    paths: [...paths],
    modules: [...modules],
    url: request?.url ?? null,
    tags,
    repositoryPaths: [...repositoryPaths],
  };
}

/** The rules that match, last rule first: the last rule decides. `isCut`: matching cost too much, and earlier rules were not looked at. */
export function matchOwnership(
  rules: readonly OwnershipRule[],
  facts: OwnedFacts,
  maxSteps = MAX_STEPS,
): { matches: OwnershipRule[]; isCut: boolean } {
  const budget: MatchBudget = { steps: maxSteps };
  const matches = [...rules].reverse().filter((rule) => {
    const texts = textsOf(rule, facts);
    return rule.globs.some((glob: Glob) => texts.some((text) => budget.steps > 0 && matchesGlob(glob, text, budget)));
  });
  return { matches, isCut: budget.steps <= 0 };
}

function textsOf({ matcher, tag }: OwnershipRule, facts: OwnedFacts): readonly string[] {
  switch (matcher) {
    case "path":
      return facts.paths;
    case "module":
      return facts.modules;
    case "codeowners":
      return facts.repositoryPaths;
    case "url":
      return facts.url === null ? [] : [facts.url];
    case "tag": {
      const value = facts.tags.get(tag ?? "");
      return value === undefined ? [] : [value];
    }
  }
}

/** Frames, beginning with the one that crashed. They come from the exceptions; else from the event; else from its threads. */
function listFrames(event: SentryEvent): Frame[] {
  const exceptions = [...(event.exception?.values ?? [])].reverse().map(({ stacktrace }) => stacktrace);
  const stacks = exceptions.some((stack) => stack !== undefined)
    ? exceptions
    : event.stacktrace
      ? [event.stacktrace]
      : (event.threads?.values ?? []).map(({ stacktrace }) => stacktrace);
  return stacks.flatMap((stack) => [...(stack?.frames ?? [])].reverse());
}
