import { Notice } from "../../ui/notice.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { useMay } from "../frame/use-may.tsx";
import type { LeftOut } from "./get-left-out.server.ts";

/** Says that some events of the issue were counted and not stored. */
export function LeftOutNotice({
  slug,
  leftOut,
  isGraphWhole,
}: {
  slug: string;
  leftOut: LeftOut;
  isGraphWhole: boolean;
}) {
  const mayChange = useMay("project:write");
  const { notStored, lastDay } = leftOut;
  const stored = lastDay.arrived - lastDay.leftOut;
  const limits = mayChange ? (
    <TextLink to={`/projects/${slug}/limits`}>limits of the project</TextLink>
  ) : (
    "limits of the project"
  );
  return (
    <Notice
      title={`${notStored.toLocaleString("en")} ${notStored === 1 ? "event was" : "events were"} counted and not stored`}
    >
      <p>
        {lastDay.leftOut > 0 && (
          <>
            Of the last 24 hours, {stored.toLocaleString("en")} of {lastDay.arrived.toLocaleString("en")} events are
            stored
            {stored > 0 && `, about 1 of ${Math.max(2, Math.round(lastDay.arrived / stored)).toLocaleString("en")}`}.{" "}
          </>
        )}
        The {limits} decide. The issue’s count, users and releases have all of them;{" "}
        {isGraphWhole ? "tags" : "the graph, tags"} and the list of events have what is stored.
      </p>
    </Notice>
  );
}
