import type { FingerprintRule } from "../../domain/grouping-rules/fingerprint-rules.ts";
import { readFingerprintRules } from "../../domain/grouping-rules/fingerprint-rules.ts";
import type { ProjectRuleTexts, SplitRule } from "../../domain/grouping-rules/project-rules.ts";
import { readStackRules, type StackRule } from "../../domain/grouping-rules/stack-rules.ts";

/** The grouping rules that people wrote for one project, ready to be evaluated. */
export interface ProjectRules {
  fingerprint: readonly FingerprintRule[];
  stack: readonly StackRule[];
  /** The splits by the hashes of the issues that they split, oldest first. */
  splits: ReadonlyMap<string, readonly SplitRule[]>;
}

/** Null: there are no rules. A text that cannot be read (a newer version wrote it) has none, so that events are grouped as if it was empty. */
export function compileRules(texts: Omit<ProjectRuleTexts, "projectId">): ProjectRules | null {
  const fingerprint = readFingerprintRules(texts.fingerprintRules);
  const stack = readStackRules(texts.stackRules);
  const splits = new Map<string, SplitRule[]>();
  for (const split of texts.splits)
    for (const hash of split.hashes) splits.set(hash, [...(splits.get(hash) ?? []), split]);
  const rules: ProjectRules = {
    fingerprint: fingerprint.ok ? fingerprint.rules : [],
    stack: stack.ok ? stack.rules : [],
    splits,
  };
  return rules.fingerprint.length + rules.stack.length + splits.size === 0 ? null : rules;
}

/** Rules by project. Projects without any are not in it. */
export type RulesByProject = ReadonlyMap<number, ProjectRules>;

export interface RuleSource {
  /** Grows with each change: cheap to ask. */
  version(): Promise<number>;
  listRules(): Promise<ProjectRuleTexts[]>;
}

/** The rules as they are at the beginning of each batch. */
export class CurrentRules {
  readonly #source: RuleSource;
  #version: number | null = null;
  #rules: RulesByProject = new Map();

  constructor(source: RuleSource) {
    this.#source = source;
  }

  async read(): Promise<RulesByProject> {
    const version = await this.#source.version();
    if (version === this.#version) return this.#rules;
    const texts = await this.#source.listRules();
    this.#rules = new Map(
      texts.flatMap((each) => {
        const rules = compileRules(each);
        return rules === null ? [] : [[each.projectId, rules] as const];
      }),
    );
    this.#version = version;
    return this.#rules;
  }
}
