import { ArrowUp } from "lucide-react";
import { Link } from "react-router";
import type { SteadyIssues } from "./use-steady-issues.ts";

/** Says that a fresh list would hold more, and shows it when asked. Takes no place while there is nothing to say. */
export function IssueNewsStrip({ news, to }: { news: SteadyIssues["news"]; to: string }) {
  const words = sayNews(news);
  return (
    <div role="status" className="issue-news">
      {words && (
        <Link to={to} data-shortcut="n">
          <ArrowUp aria-hidden="true" />
          {words}
          <span className="issue-news-show">Show</span>
        </Link>
      )}
    </div>
  );
}

function sayNews({ newCount, updatedCount }: SteadyIssues["news"]): string {
  const parts = [
    newCount > 0 ? `${newCount} new ${newCount === 1 ? "issue" : "issues"}` : "",
    updatedCount > 0 ? `${updatedCount} more ${updatedCount === 1 ? "issue has" : "issues have"} new events` : "",
  ];
  return parts.filter(Boolean).join(", ");
}
