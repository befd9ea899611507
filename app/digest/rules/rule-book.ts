import { compileFilters, type FindFilter } from "../../domain/filters/compile-filters.ts";
import type { ProjectRules } from "../../domain/project-rules.ts";
import { compileScrubRules } from "../../scrub/compile-scrub-rules.ts";
import { BUILT_IN_RULES, type ScrubRules } from "../../scrub/scrub-rules.ts";
import type { BatchRules } from "../../signals/batch-rules.ts";
import type { RuleIndex } from "../../stores/state/rule-store.ts";
import { toFilterSubject } from "./event-subject.ts";
import { ExampleTimes } from "./example-times.ts";

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
  readonly #exampleTimes = new ExampleTimes();

  constructor(index: RuleIndex) {
    this.#index = index;
  }

  /** The present rules. They are read again only when something about projects has changed. */
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
      wantsExample: (of) => this.#exampleTimes.isDue(of),
    };
  }
}

function compileAll(rules: ReadonlyMap<number, ProjectRules>): ReadonlyMap<number, CompiledRules> {
  const compiled = new Map<number, CompiledRules>();
  for (const [projectId, { filters, privacy }] of rules) {
    compiled.set(projectId, { findFilter: compileFilters(filters), scrubRules: compileScrubRules(privacy) });
  }
  return compiled;
}
