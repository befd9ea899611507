import { Notice } from "../../ui/notice.tsx";
import type { OwnersPage } from "./get-owners-page.server.ts";

const MAX_LISTED = 10;

/** Owners in the rules who cannot get issues. */
export function MissingOwners({ missing }: { missing: OwnersPage["missing"] }) {
  if (missing.length === 0) return null;
  return (
    <Notice tone="warning" title="Some owners cannot get issues">
      <ul className="grid gap-0.5">
        {missing.slice(0, MAX_LISTED).map(({ owner, state, lines }) => (
          <li key={owner} className="wrap-anywhere">
            <span className="font-mono">{owner}</span>{" "}
            {state === "unseeing"
              ? "does not see this project"
              : owner.startsWith("#")
                ? "is no team"
                : "is no member's address"}
            : {lines.length === 1 ? "line" : "lines"} {lines.slice(0, MAX_LISTED).join(", ")}
          </li>
        ))}
        {missing.length > MAX_LISTED && <li>and {missing.length - MAX_LISTED} more</li>}
      </ul>
    </Notice>
  );
}
