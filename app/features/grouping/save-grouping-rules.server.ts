import type { Workspace } from "../../access/workspace.ts";
import { readFingerprintRules } from "../../domain/grouping-rules/fingerprint-rules.ts";
import type { RuleTexts } from "../../domain/grouping-rules/project-rules.ts";
import type { RuleProblem } from "../../domain/grouping-rules/rule-line.ts";
import { readStackRules } from "../../domain/grouping-rules/stack-rules.ts";
import type { Project } from "../../domain/project.ts";
import type { StoredRules } from "../../stores/state/grouping-rule-store.ts";

export type RuleField = keyof RuleTexts;

export interface RuleRefusal {
  ok: false;
  status: 400 | 404 | 409;
  /** The field of the wrong text. Null: none. */
  field: RuleField | null;
  message: string;
}

/**
 * Saves rules for later events. A text that is absent stays as it is. With a `revision`, it only saves if nobody changed the rules
 * meanwhile.
 */
export async function saveGroupingRules(
  { state, scope, user }: Pick<Workspace, "state" | "scope" | "user">,
  project: Pick<Project, "id">,
  { texts, revision, now }: { texts: Partial<RuleTexts>; revision?: number | undefined; now: number },
): Promise<{ ok: true; rules: StoredRules } | RuleRefusal> {
  const refusal = checkRules(texts);
  if (refusal !== null) return refusal;
  const saved = await state.groupingRules.saveRules(scope, {
    projectId: project.id,
    userId: user?.id ?? null,
    at: now,
    ...(revision === undefined ? {} : { revision }),
    ...texts,
  });
  if (saved.ok) return saved;
  return saved.reason === "not-found"
    ? { ok: false, status: 404, field: null, message: "This project does not exist any more." }
    : {
        ok: false,
        status: 409,
        field: null,
        message: "Somebody else saved rules meanwhile. Open the page again to see them, and then save yours.",
      };
}

/** Null: the texts are valid. */
export function checkRules({ fingerprintRules, stackRules }: Partial<RuleTexts>): RuleRefusal | null {
  const fingerprint = fingerprintRules === undefined ? null : readFingerprintRules(fingerprintRules);
  if (fingerprint !== null && !fingerprint.ok) return refuse("fingerprintRules", fingerprint.problem);
  const stack = stackRules === undefined ? null : readStackRules(stackRules);
  return stack !== null && !stack.ok ? refuse("stackRules", stack.problem) : null;
}

function refuse(field: RuleField, { line, column, message }: RuleProblem): RuleRefusal {
  return { ok: false, status: 400, field, message: `Line ${line}, character ${column}: ${message}` };
}

/** The texts of a posted form. Browsers send lines with \r\n. */
export function readRulesForm(form: FormData): { texts: RuleTexts; revision: number | undefined } {
  const textOf = (name: RuleField) =>
    String(form.get(name) ?? "")
      .replaceAll("\r\n", "\n")
      .trimEnd();
  const revision = form.get("revision");
  return {
    texts: { fingerprintRules: textOf("fingerprintRules"), stackRules: textOf("stackRules") },
    revision: typeof revision === "string" && /^\d{1,9}$/.test(revision) ? Number(revision) : undefined,
  };
}
