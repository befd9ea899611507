import { ArrowRight, Bookmark, Bug, Hash, Link2, Plus, Rocket, Search, Settings, Zap } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { useNavigate } from "react-router";
import { type SavedView, toViewPath } from "../../domain/saved-view.ts";
import { copyText } from "../../ui/copy-text.ts";
import { Dialog } from "../../ui/dialog.tsx";
import { useToast } from "../../ui/toast.tsx";
import type { FoundPlace } from "./found-place.ts";
import { listPageActions } from "./page-actions.ts";
import { SECTIONS } from "./sections.tsx";
import { SETTINGS_PAGES, type SettingsPage } from "./settings-pages.ts";
import { useFoundPlaces } from "./use-found-places.ts";
import { useRights } from "./use-may.tsx";

/** A person reads no more; further letters narrow it down. */
const MAX_PLACES = 40;

interface Command {
  key: string;
  label: string;
  /** Kind of the thing, or the key that does the same; shown at the right. */
  kind: string;
  icon: ReactNode;
  /** Where it leads, or what it does. */
  run: { to: string } | { act: () => void };
}

/**
 * Goes anywhere by a few letters: a section, a project, an issue by its words or short id, a release, an event by its id, a
 * search. On an issue's page it also does what the page can do.
 */
export function CommandPalette({
  projects,
  views,
  onClose,
}: {
  projects: ReadonlyArray<{ slug: string; name: string }>;
  views: readonly SavedView[];
  onClose: () => void;
}) {
  const [text, setText] = useState("");
  // By key: what the server finds comes in between, and the choice stays where it is.
  const [chosen, setChosen] = useState<string | null>(null);
  const navigate = useNavigate();
  const showToast = useToast();
  const listId = useId();
  const found = useFoundPlaces(text.trim());
  const [actions] = useState(() => listActions(showToast));
  const may = useRights();
  const settings = SETTINGS_PAGES.flatMap(({ pages }) => pages).filter(
    ({ right }) => right === undefined || may(right),
  );
  const mayChangeProjects = may("project:write");
  const commands = listCommands(text.trim(), { actions, found, projects, views, settings, mayChangeProjects });
  const active = Math.max(
    0,
    commands.findIndex(({ key }) => key === chosen),
  );

  const go = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    const { run } = command;
    if ("to" in run) void navigate(run.to);
    // After the dialog is gone: what is pressed may take the focus.
    else setTimeout(run.act);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter and arrows are the input method's while it composes a word.
    if (event.nativeEvent.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setChosen(commands[(active + step + commands.length) % commands.length]?.key ?? null);
    else if (event.key === "Enter") go(commands[active]);
    else return;
    event.preventDefault();
  };

  return (
    <Dialog title="Go to" isTitleHidden onClose={onClose}>
      <input
        role="combobox"
        aria-label="Go to a page, an issue, a project, a release or an event"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={`${listId}-${active}`}
        className="palette-input"
        placeholder="Words of an issue, WEB-4F2, a project, a release, an id, an address …"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(null);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label="Places and actions" className="palette-list">
        {commands.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled at the input, which keeps the focus
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          <div
            key={command.key}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === active}
            className="palette-option"
            ref={(element) => {
              if (index === active) element?.scrollIntoView({ block: "nearest" });
            }}
            onPointerMove={() => setChosen(command.key)}
            onClick={() => go(command)}
          >
            {command.icon}
            <span className="min-w-0 flex-1 truncate">{command.label}</span>
            <span className="text-muted text-xs">{command.kind}</span>
          </div>
        ))}
      </div>
    </Dialog>
  );
}

const PLACE_LOOK: Record<FoundPlace["kind"], { kind: string; icon: ReactNode }> = {
  event: { kind: "Event", icon: <Hash /> },
  issue: { kind: "Issue", icon: <Bug /> },
  trace: { kind: "Trace", icon: <Hash /> },
  release: { kind: "Release", icon: <Rocket /> },
  page: { kind: "Page of this server", icon: <Link2 /> },
};

/** What can be done on the issue's page that is open; none on other pages. */
function listActions(showToast: ReturnType<typeof useToast>): Command[] {
  const page = document.querySelector(".issue-page");
  const actions = listPageActions(page).map(
    ({ label, shortcut, act }): Command => ({
      key: `action ${shortcut}`,
      label,
      kind: shortcut,
      icon: <Zap />,
      run: { act },
    }),
  );
  if (!page) return actions;
  const copy = () =>
    void copyText(window.location.href).then(
      () => showToast({ message: "Link copied." }),
      () => showToast({ message: "The link could not be copied.", tone: "failed" }),
    );
  return [...actions, { key: "action y", label: "Copy link", kind: "y", icon: <Link2 />, run: { act: copy } }];
}

function listCommands(
  text: string,
  {
    actions,
    found,
    projects,
    views,
    settings,
    mayChangeProjects,
  }: {
    actions: readonly Command[];
    found: readonly FoundPlace[];
    projects: ReadonlyArray<{ slug: string; name: string }>;
    views: readonly SavedView[];
    settings: readonly SettingsPage[];
    mayChangeProjects: boolean;
  },
): Command[] {
  const letters = text.toLowerCase();
  const holds = (haystack: string) => letters.split(/\s+/).every((word) => haystack.toLowerCase().includes(word));
  const to = (kind: string, label: string, path: string, icon: ReactNode): Command => ({
    key: `${kind} ${path}`,
    label,
    kind,
    icon,
    run: { to: path },
  });
  const places = [
    ...SECTIONS.map((section) => to("Page", section.label, section.to, <ArrowRight />)),
    ...views.map((view) => ({
      ...to(`View of ${view.list}`, view.name, toViewPath(view), <Bookmark />),
      key: `view ${view.id}`,
    })),
    ...settings.map(({ label, to: path }) => to("Settings", label, path, <Settings />)),
    to("Page", "Saved views", "/views", <Bookmark />),
    ...(mayChangeProjects ? [to("Action", "New project", "/projects/new", <Plus />)] : []),
    ...projects.flatMap(({ slug, name }) => [
      to("Issues of project", name, `/issues?project=${slug}`, <Bug />),
      ...(mayChangeProjects ? [to("Project settings", name, `/projects/${slug}/settings`, <Settings />)] : []),
    ]),
  ].filter(({ label, kind, key }) => holds(`${label} ${kind} ${key}`));
  // What begins with the letters is known at once, and stays first when the server's answer comes.
  const begins = places.filter(({ label }) => letters !== "" && label.toLowerCase().startsWith(letters));
  const query = new URLSearchParams({ q: text });
  return [
    ...actions.filter(({ label }) => holds(label)),
    ...begins.slice(0, MAX_PLACES),
    ...found.map(({ kind, to: path, label, detail }) => {
      const look = PLACE_LOOK[kind];
      return to(detail === "" ? look.kind : `${look.kind} ${detail}`, label, path, look.icon);
    }),
    ...places.filter((place) => !begins.includes(place)).slice(0, MAX_PLACES),
    ...(text === ""
      ? []
      : [
          to("Search", `Search issues for “${text}”`, `/issues?${query}`, <Search />),
          to("Search", `Releases like “${text}”`, `/releases?${query}`, <Rocket />),
        ]),
  ];
}
