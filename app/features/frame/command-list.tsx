import { ArrowRight, Bookmark, Bug, Hash, Link2, Plus, Rocket, Search, Settings, Unplug, Zap } from "lucide-react";
import { type ReactNode, type RefObject, useLayoutEffect, useState } from "react";
import { useNavigate } from "react-router";
import { type SavedView, toViewPath } from "../../domain/saved-view.ts";
import { reloadPage } from "../../navigation/stale-build.ts";
import { copyText } from "../../ui/copy-text.ts";
import { useToast } from "../../ui/toast.tsx";
import type { FoundPlace } from "./found-place.ts";
import { listPageActions, listSelectionActions } from "./page-actions.ts";
import { SECTIONS } from "./sections.tsx";
import { SETTINGS_PAGES, type SettingsPage } from "./settings-pages.ts";
import { type SearchTrouble, useFoundPlaces } from "./use-found-places.ts";
import { useRights } from "./use-may.tsx";

/** The most places in the list. People do not read more, and further letters narrow it down. */
const MAX_PLACES = 40;

interface Command {
  key: string;
  label: string;
  /** The kind of the thing, or the key that does the same. It is shown at the right. */
  kind: string;
  icon: ReactNode;
  /** The page to which it leads, or the action that it runs. */
  run: { to: string } | { act: () => void };
}

/** The list of the palette: places and actions that fit the typed text, and the handling of the field's keys. */
export default function CommandList({
  id,
  field,
  text,
  earlyKeys,
  pressKey,
  projects,
  views,
  focused,
  onClose,
}: {
  /** The id of the list. The ids of its options begin with it. */
  id: string;
  field: RefObject<HTMLInputElement | null>;
  text: string;
  /** Keys that were pressed before the list was there. The list empties this. */
  earlyKeys: RefObject<string[]>;
  /** The list stores its handler of keys here. */
  pressKey: RefObject<(key: string) => void>;
  projects: ReadonlyArray<{ slug: string; name: string }>;
  views: readonly SavedView[];
  /** The element that had the focus before the palette opened. */
  focused: Element | null;
  onClose: () => void;
}) {
  // The choice is remembered by its key, so that it stays when results of the server come in between. Another text has another choice.
  const [choice, setChoice] = useState<{ text: string; key: string | undefined } | null>(null);
  const navigate = useNavigate();
  const showToast = useToast();
  const { places: found, trouble } = useFoundPlaces(text.trim());
  const [actions] = useState(() => listActions(showToast, focused));
  const may = useRights();
  const settings = SETTINGS_PAGES.flatMap(({ pages }) => pages).filter(
    ({ right }) => right === undefined || may(right),
  );
  const mayChangeProjects = may("project:write");
  const sources = { actions, found, trouble, projects, views, settings, mayChangeProjects };
  const commands = listCommands(text.trim(), sources);
  const active = Math.max(
    0,
    commands.findIndex(({ key }) => choice?.text === text && key === choice.key),
  );
  const choose = (key: string | undefined) => setChoice({ text, key });

  const go = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    const { run } = command;
    if ("to" in run) void navigate(run.to);
    // This runs after the dialog is gone, because the action may take the focus.
    else setTimeout(run.act);
  };
  /** Handles arrows and Enter. Keys that came before the list are handled all at once. */
  const press = (keys: readonly string[]) => {
    let index = active;
    for (const key of keys) {
      if (key === "Enter") return go(commands[index]);
      index = (index + (key === "ArrowDown" ? 1 : -1) + commands.length) % commands.length;
    }
    if (keys.length > 0) choose(commands[index]?.key);
  };

  // This happens while the list is drawn, so that no key is lost in between.
  useLayoutEffect(() => {
    pressKey.current = (key) => press([key]);
    field.current?.setAttribute("aria-activedescendant", `${id}-${active}`);
    press(earlyKeys.current.splice(0));
  });

  return commands.map((command, index) => (
    // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled at the input, which keeps the focus
    // biome-ignore lint/a11y/useFocusableInteractive: as above
    <div
      key={command.key}
      id={`${id}-${index}`}
      role="option"
      aria-selected={index === active}
      className="palette-option"
      ref={(element) => {
        if (index === active) element?.scrollIntoView({ block: "nearest" });
      }}
      onPointerMove={() => choose(command.key)}
      onClick={() => go(command)}
    >
      {command.icon}
      <span className="min-w-0 flex-1 truncate">{command.label}</span>
      <span className="text-muted text-xs">{command.kind}</span>
    </div>
  ));
}

const PLACE_LOOK: Record<FoundPlace["kind"], { kind: string; icon: ReactNode }> = {
  event: { kind: "Event", icon: <Hash /> },
  issue: { kind: "Issue", icon: <Bug /> },
  trace: { kind: "Trace", icon: <Hash /> },
  release: { kind: "Release", icon: <Rocket /> },
  page: { kind: "Page of this server", icon: <Link2 /> },
};

/** Actions on the open page of an issue, or on the issues of the list. Other pages have none. */
function listActions(showToast: ReturnType<typeof useToast>, focused: Element | null): Command[] {
  const page = document.querySelector(".issue-page");
  const list = document.getElementById("issues-form");
  const actions = [...listPageActions(page), ...listSelectionActions(list, focused)].map(
    ({ label, shortcut, act }): Command => ({
      key: `action ${label}`,
      label,
      kind: shortcut ?? "Action",
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

/** Shown in place of results of the server. */
function toTroubleCommand(trouble: SearchTrouble): Command {
  return {
    key: "trouble",
    label: trouble === "refused" ? "Not searched: you are signed out" : "Not searched: no answer from the server",
    kind: "Reload the page",
    icon: <Unplug />,
    run: { act: reloadPage },
  };
}

interface CommandSources {
  actions: readonly Command[];
  found: readonly FoundPlace[];
  trouble: SearchTrouble | null;
  projects: ReadonlyArray<{ slug: string; name: string }>;
  views: readonly SavedView[];
  settings: readonly SettingsPage[];
  mayChangeProjects: boolean;
}

/** The commands that fit the text, in the order in which they are shown. */
function listCommands(text: string, sources: CommandSources): Command[] {
  const { found, trouble, projects, views, settings, mayChangeProjects } = sources;
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
  // Places that begin with the letters are known at once. They stay first when the server's answer comes.
  const begins = places.filter(({ label }) => letters !== "" && label.toLowerCase().startsWith(letters));
  const query = new URLSearchParams({ q: text });
  return [
    ...sources.actions.filter(({ label }) => holds(label)),
    ...begins.slice(0, MAX_PLACES),
    ...(trouble === null ? [] : [toTroubleCommand(trouble)]),
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
