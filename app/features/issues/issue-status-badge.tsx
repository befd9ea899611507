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

/** One word for where an issue stands: its status, or what it does while it is unresolved. */
export function IssueStatusBadge({ status, substatus }: { status: IssueStatus; substatus: IssueSubstatus }) {
  const { label, tone } = LOOKS[status === "unresolved" ? substatus : status];
  return <Badge tone={tone}>{label}</Badge>;
}
