import type { Workspace } from "../../access/workspace.ts";
import { formatDuration } from "../../ui/format-duration.ts";
import { toEventId } from "../events/event-id.ts";
import { findSentUnder } from "../events/find-sent-under.server.ts";
import { escapeMarkdown, inlineCode, toFactLines } from "../markdown/write-markdown.ts";
import { sayPlace, sayShare } from "./function-words.ts";
import { getProfile } from "./get-profile.server.ts";
import { readProfileOptions, toProfilePath } from "./profile-options.ts";
import { toProfileTitle } from "./profile-title.ts";
import type { DrawnProfile } from "./profile-view.ts";

const MAX_LISTED = 50;

/** A profile as Markdown: its facts, and the functions that took most time. Null: no profile has this id. */
export async function getProfileMarkdown(
  workspace: Workspace,
  { id: text, search, baseUrl }: { id: string; search: URLSearchParams; baseUrl: string },
): Promise<string | null> {
  const id = toEventId(text);
  const options = readProfileOptions(search);
  const sent = id === null ? null : await findSentUnder(workspace, id, options.filesPage);
  if (id === null || sent === null || "path" in sent) return null;
  const view = await getProfile(workspace, { id, rows: sent.files.attachments, options });
  if (view === null) return null;
  const { drawn } = view;
  const lines = [
    `# ${escapeMarkdown(toProfileTitle(view))}`,
    "",
    `<${baseUrl}${toProfilePath(id, options)}>`,
    "",
    ...toFactLines([
      ["Project", view.project],
      ["Platform", view.platform],
      ["Release", view.release],
      ["Environment", view.environment],
      ["Thread", drawn && (drawn.thread.name ?? drawn.thread.id)],
      ["Samples", drawn?.thread.samples],
      ["Duration", drawn && formatDuration(drawn.durationUs)],
      ["Idle", drawn && drawn.idleUs > 0 ? formatDuration(drawn.idleUs) : null],
    ]),
    ...view.problems.flatMap((problem) => ["", escapeMarkdown(problem)]),
    ...(drawn ? listFunctions(drawn) : []),
  ];
  return `${lines.join("\n")}\n`;
}

function listFunctions({ functions, listed, functionCount, totalUs }: DrawnProfile): string[] {
  const shown = listed.slice(0, MAX_LISTED);
  if (shown.length === 0) return [];
  const count = shown.length < functionCount ? `the first ${shown.length} of ${functionCount}` : functionCount;
  return [
    "",
    `## Functions (${count})`,
    "",
    ...shown.flatMap((index) => {
      const each = functions[index];
      if (!each) return [];
      const own = `${formatDuration(each.selfUs)} of its own (${sayShare(each.selfUs, totalUs)})`;
      const name = `${inlineCode(each.name)}${each.isInApp ? " (in app)" : ""}`;
      const place = sayPlace(each);
      return [
        `- ${name}: ${own}, ${formatDuration(each.totalUs)} in all${place === "" ? "" : `, ${inlineCode(place)}`}`,
      ];
    }),
  ];
}
