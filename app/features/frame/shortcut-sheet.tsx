import { useLocation } from "react-router";
import { SECTIONS } from "./sections.tsx";

interface Group {
  title: string;
  /** The paths of the pages to which the group belongs. Absent: all pages. */
  at?: RegExp;
  keys: ReadonlyArray<[keys: string, does: string]>;
}

const GROUPS: readonly Group[] = [
  {
    title: "Everywhere",
    keys: [
      ["?", "This sheet"],
      ["⌘ K", "Go to anything (Ctrl K)"],
      ...SECTIONS.map((section): [string, string] => [`g ${section.key}`, section.label]),
      ["u", "Undo what was just done"],
    ],
  },
  {
    title: "Issue list",
    at: /^\/issues$/,
    keys: [
      ["j", "Next issue"],
      ["k", "Previous issue"],
      ["o", "Open (or Enter)"],
      ["Space", "Preview, then j and k"],
      ["x", "Select"],
      ["⇧ x", "Select up to here"],
      ["e", "Resolve what is selected, or this one"],
      ["⇧ e", "Resolve in the next release"],
      ["m", "Archive it"],
      ["⇧ m", "Archive it for a while: a time or a count"],
      ["i", "Archive it until it escalates"],
      ["r", "Reopen it"],
      ["a", "Assign it to me"],
      ["⇧ a", "Assign it to somebody"],
      ["p", "Set its priority"],
      ["z", "Snooze it for me alone"],
      ["f", "Fixed in the current release, by a commit; subscribe, bookmark, mark as seen"],
      ["/", "Search"],
      ["n", "Show what is new"],
      ["Esc", "Unselect"],
    ],
  },
  {
    title: "Issue",
    at: /^\/issues\/./,
    keys: [
      ["[", "Older event"],
      ["]", "Newer event"],
      ["/", "Search its events, in their list"],
      ["e", "Resolve or reopen"],
      ["⇧ e", "Resolve in the next release"],
      ["f", "Resolve in a release or by a commit"],
      ["m", "Archive"],
      ["⇧ m", "Archive for a while: a time or a count"],
      ["i", "Archive until it escalates"],
      ["k", "Acknowledge, or take that back"],
      ["a", "Assign to me"],
      ["⇧ a", "Assign to somebody"],
      ["p", "Set the priority"],
      ["z", "Snooze for me alone, or end that"],
      ["c", "Write a comment"],
      ["t", "Create a task in the tracker"],
      ["l", "Link an issue of another tracker"],
      ["s", "Subscribe or unsubscribe"],
      ["b", "Bookmark"],
      ["n", "Show what is new"],
      ["y", "Copy the link"],
      ["⇧ y", "Copy as Markdown"],
      ["Esc", "Back to the list"],
    ],
  },
  {
    title: "My day",
    at: /^\/day$/,
    keys: [
      ["j", "Next issue"],
      ["k", "Previous issue"],
      ["o", "Open (or Enter)"],
    ],
  },
  {
    title: "Feedback",
    at: /^\/feedback/,
    keys: [
      ["j", "Next message"],
      ["k", "Previous message"],
      ["o", "Open (or Enter)"],
      ["x", "Select"],
      ["e", "Resolve what is selected, or this one"],
      ["m", "Move it to Spam"],
      ["r", "Reopen it"],
      ["a", "Assign it to me"],
      ["/", "Search"],
    ],
  },
  {
    title: "Logs",
    at: /^\/logs$/,
    keys: [
      ["j", "Next line"],
      ["k", "Previous line"],
      ["o", "Open it (or Enter)"],
      ["/", "Search"],
      ["l", "Live tail on or off"],
      ["n", "Show the new lines that wait"],
      ["Esc", "Close the line, or leave the rows"],
    ],
  },
  {
    title: "Traces and Performance",
    at: /^\/(?:traces|performance)$/,
    keys: [
      ["j", "Next row"],
      ["k", "Previous row"],
      ["o", "Open it (or Enter)"],
      ["/", "Search"],
    ],
  },
  {
    title: "Trace",
    at: /^\/traces\/./,
    keys: [
      ["j", "Next row"],
      ["k", "Previous row"],
      ["h", "Fold, or go up"],
      ["l", "Unfold"],
      ["o", "Details (or Enter)"],
      ["n", "Next span that was found"],
      ["⇧ n", "The one before"],
      ["f", "Only what is found"],
      ["p", "Critical path"],
      ["+", "A shorter time"],
      ["−", "A longer time"],
      ["z", "The time of the row"],
      ["⇧ ←", "Earlier (⇧ → later)"],
      ["0", "The whole trace"],
      ["1–4", "Waterfall, flame, statistics, logs"],
      ["c", "Clocks aligned or as sent"],
      ["/", "Find spans"],
      ["y", "Copy the link"],
      ["Esc", "Close the details"],
    ],
  },
  {
    title: "Timeline",
    at: /^\/events\/.+\/timeline$/,
    keys: [
      ["j", "Next thing in any lane"],
      ["k", "Previous thing"],
      ["↓", "From a thing: next lane (↑ the one before)"],
      ["→", "From a thing: cursor later (← earlier, ⇧ further)"],
      ["+", "Closer"],
      ["−", "Further away"],
      ["0", "To the throw"],
      ["c", "Clocks aligned or as sent"],
      ["/", "Find"],
      ["y", "Copy the link"],
      ["Esc", "Close the details"],
    ],
  },
];

/** The content of the dialog. The keys of the page behind it come first. */
export default function ShortcutSheet() {
  const { pathname } = useLocation();
  const isHere = ({ at }: Group) => at?.test(pathname) ?? false;
  const groups = [...GROUPS.filter(isHere), ...GROUPS.filter((group) => !isHere(group))];
  return (
    <div className="gap-8 p-4 sm:columns-2">
      {groups.map((group) => (
        <section key={group.title} className="break-inside-avoid pb-5">
          <h3 className="pb-1.5 text-muted text-xs">{group.title}</h3>
          <dl className="grid gap-1">
            {group.keys.map(([keys, does]) => (
              <div key={keys} className="flex flex-row-reverse items-center justify-between gap-3 text-sm">
                <dt className="flex gap-1">
                  {keys.split(" ").map((key) => (
                    <kbd key={key} className="kbd">
                      {key}
                    </kbd>
                  ))}
                </dt>
                <dd>{does}</dd>
              </div>
            ))}
          </dl>
        </section>
      ))}
    </div>
  );
}
