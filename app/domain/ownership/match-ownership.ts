import { type CodeMapping, toRepositoryPath } from "../code-mapping.ts";
import type { Frame, SentryEvent } from "../event.ts";
import { type Glob, type MatchBudget, matchesGlob } from "../grouping-rules/glob.ts";
import type { OwnershipRule } from "./ownership-rules.ts";

/** What rules look at, of one event. */
export interface OwnedFacts {
  /** As frames name their files, and within the repository; with slashes. */
  paths: readonly string[];
  modules: readonly string[];
  url: string | null;
  tags: ReadonlyMap<string, string>;
  /** Within the repository, of frames of the application. */
  repositoryPaths: readonly string[];
}

/** Of an event: some ten milliseconds at most. */
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

/** Those that match, the last first: it decides. `isCut`: the patterns cost too much, and earlier rules were not looked at. */
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

/** From the crash on: of the exceptions, else of the event, else of its threads. */
function listFrames(event: SentryEvent): Frame[] {
  const exceptions = [...(event.exception?.values ?? [])].reverse().map(({ stacktrace }) => stacktrace);
  const stacks = exceptions.some((stack) => stack !== undefined)
    ? exceptions
    : event.stacktrace
      ? [event.stacktrace]
      : (event.threads?.values ?? []).map(({ stacktrace }) => stacktrace);
  return stacks.flatMap((stack) => [...(stack?.frames ?? [])].reverse());
}
