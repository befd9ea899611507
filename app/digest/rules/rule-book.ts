import { compileFilters, type FindFilter } from "../../domain/filters/compile-filters.ts";
import type { ProjectRules } from "../../domain/project-rules.ts";
import { MINUTE_MS } from "../../domain/time.ts";
import type { BatchRules } from "../../signals/batch-rules.ts";
import type { RuleIndex } from "../../stores/state/rule-store.ts";
import { compileScrubRules } from "../scrub/compile-scrub-rules.ts";
import { BUILT_IN_RULES, type ScrubRules } from "../scrub/scrub-rules.ts";
import { toFilterSubject } from "./event-subject.ts";

/** How long the example of a filter is good before the next one takes its place. */
const EXAMPLE_EVERY_MS = 10 * MINUTE_MS;
const MAX_EXAMPLES_NOTED = 10_000;

/** The rules of one project, ready for events. */
export interface CompiledRules {
  findFilter: FindFilter | null;
  scrubRules: ScrubRules;
}

/** Rules as this thread has them. They are compiled once for each change. */
export class RuleBook {
  readonly #index: RuleIndex;
  #version: number | null = null;
  #rules: ReadonlyMap<number, CompiledRules> = new Map();
  /** When the last example was made, by project and reason. */
  readonly #exampleAt = new Map<string, number>();

  constructor(index: RuleIndex) {
    this.#index = index;
  }

  /** The rules of now. Reads them again only when something about projects has changed. */
  async current(): Promise<BatchRules> {
    const version = await this.#index.version();
    if (version !== this.#version) {
      this.#rules = compileAll(await this.#index.listRules());
      this.#version = version;
    }
    const rules = this.#rules;
    return {
      findFilter(event, { projectId, clientAddress }) {
        const find = rules.size === 0 ? null : rules.get(projectId)?.findFilter;
        return find ? find(toFilterSubject(event, clientAddress)) : null;
      },
      scrubRulesOf: (projectId) => rules.get(projectId)?.scrubRules ?? BUILT_IN_RULES,
      wantsExample: (of) => this.#wantsExample(of),
    };
  }

  #wantsExample({ projectId, reason, receivedAt }: { projectId: number; reason: string; receivedAt: number }): boolean {
    const key = `${projectId} ${reason}`;
    const last = this.#exampleAt.get(key);
    if (last !== undefined && receivedAt < last + EXAMPLE_EVERY_MS) return false;
    if (this.#exampleAt.size >= MAX_EXAMPLES_NOTED) this.#exampleAt.clear();
    this.#exampleAt.set(key, receivedAt);
    return true;
  }
}

function compileAll(rules: ReadonlyMap<number, ProjectRules>): ReadonlyMap<number, CompiledRules> {
  const compiled = new Map<number, CompiledRules>();
  for (const [projectId, { filters, privacy }] of rules) {
    compiled.set(projectId, { findFilter: compileFilters(filters), scrubRules: compileScrubRules(privacy) });
  }
  return compiled;
}
