import type { IssueStatus, IssueSubstatus } from "../../domain/issue.ts";
import { Badge, type BadgeTone } from "../../ui/badge.tsx";

const LOOKS: Record<"resolved" | "archived" | IssueSubstatus, { label: string; tone: BadgeTone }> = {
  new: { label: "New", tone: "fresh" },
  ongoing: { label: "Ongoing", tone: "outline" },
  escalating: { label: "Escalating", tone: "warning" },
  regressed: { label: "Regressed", tone: "regressed" },
  resolved: { label: "Resolved", tone: "resolved" },
  archived: { label: "Archived", tone: "archived" },
};

/** One word for the state of an issue: its status or, while it is unresolved, its substatus. */
export function IssueStatusBadge({ status, substatus }: { status: IssueStatus; substatus: IssueSubstatus }) {
  const { label, tone } = LOOKS[status === "unresolved" ? substatus : status];
  return <Badge tone={tone}>{label}</Badge>;
}
