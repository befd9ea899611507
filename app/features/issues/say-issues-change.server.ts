import type { IssueStatus } from "../../domain/issue.ts";
import type { IssuesChangeAnswer } from "./change-listed-issues.server.ts";
import type { ListedReadingAnswer } from "./change-listed-reading.server.ts";

const VERBS: Record<IssueStatus, string> = { resolved: "resolved", archived: "archived", unresolved: "reopened" };

/** The list's message about a posted change, and the text that its undo sends back. */
export interface SaidChange {
  ok: boolean;
  message: string;
  undo: string | null;
}

/** The words are made on the server: otherwise every list would load text that few readers need. */
export function sayIssuesChange(answer: IssuesChangeAnswer | ListedReadingAnswer): SaidChange {
  return { ok: answer.ok, message: sayInWords(answer), undo: answer.ok && "undo" in answer ? answer.undo : null };
}

/** One sentence about the result of a change. */
function sayInWords(answer: IssuesChangeAnswer | ListedReadingAnswer): string {
  if (!answer.ok || answer.kind === "reading") return answer.message;
  const issues = answer.count === 1 ? "1 issue" : `${answer.count.toLocaleString("en")} issues`;
  if (answer.kind === "undo") return `Undone: ${issues} as before.`;
  if (answer.kind === "snoozed") {
    const until = `${new Date(answer.until).toISOString().slice(0, 16).replace("T", " ")} UTC`;
    return `${issues} snoozed for you until ${until}.${answer.undo === null ? " They are too many to undo." : ""}`;
  }
  if (answer.kind === "merged")
    return `${issues} merged into ${answer.into}. ${answer.isOnce ? "Later events are a new issue." : "Later events go there, too."}`;
  if (answer.kind === "deleted") return answer.count === 0 ? "They were deleted before." : `${issues} deleted.`;
  if (answer.kind === "triage") {
    const said = answer.count > 0 ? `${issues} ${answer.words}.` : answer.refusal ? "" : sayUnchanged(answer.words);
    const tail = answer.count > 0 && answer.undo === null ? "They are too many to undo." : "";
    return [said, tail, answer.refusal].filter(Boolean).join(" ");
  }
  const verb = [VERBS[answer.status], answer.resolvedIn ?? answer.archivedFor].filter(Boolean).join(" ");
  if (answer.count === 0) return sayUnchanged(verb);
  return `${issues} ${verb}.${answer.undo === null ? " They are too many to undo." : ""}`;
}

/** The list on the screen may be older than the present state of its issues. */
function sayUnchanged(words: string): string {
  return `Nothing changed: already ${words}, or deleted.`;
}
