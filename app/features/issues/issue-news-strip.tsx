import { ArrowUp } from "lucide-react";
import { Link } from "react-router";
import type { IssueNews } from "./issue-news.ts";

/** Says that a fresh list would show more, and shows it on a click. It takes no space while there is nothing to say. */
export function IssueNewsStrip({ news }: { news: IssueNews | null }) {
  return (
    <div role="status" className="issue-news">
      {news && (
        <Link to={news.to} data-shortcut="n">
          <ArrowUp aria-hidden="true" />
          {news.words}
          <span className="issue-news-show">{news.action}</span>
        </Link>
      )}
    </div>
  );
}
