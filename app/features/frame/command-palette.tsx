import { ArrowRight, Bug, Hash, Plus, Rocket, Search, Settings } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useId, useState } from "react";
import { useNavigate } from "react-router";
import { Dialog } from "../../ui/dialog.tsx";
import { SECTIONS } from "./sections.tsx";

interface Command {
  label: string;
  /** The kind of the entry, shown at the right. */
  kind: string;
  to: string;
  icon: ReactNode;
}

/** Goes anywhere by a few letters: a section, a project, an issue by its short id, an event by its id, a search. */
export function CommandPalette({
  projects,
  onClose,
}: {
  projects: ReadonlyArray<{ slug: string; name: string }>;
  onClose: () => void;
}) {
  const [text, setText] = useState("");
  const [chosen, setChosen] = useState(0);
  const navigate = useNavigate();
  const listId = useId();
  const commands = listCommands(text.trim(), projects);
  const active = Math.min(chosen, commands.length - 1);

  const go = (command: Command | undefined) => {
    if (!command) return;
    onClose();
    void navigate(command.to);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    // Enter and arrows are the input method's while it composes a word.
    if (event.nativeEvent.isComposing) return;
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) setChosen((active + step + commands.length) % commands.length);
    else if (event.key === "Enter") go(commands[active]);
    else return;
    event.preventDefault();
  };

  return (
    <Dialog title="Go to" isTitleHidden onClose={onClose}>
      <input
        role="combobox"
        aria-label="Go to a page, a project, an issue or an event"
        aria-expanded="true"
        aria-controls={listId}
        aria-activedescendant={`${listId}-${active}`}
        className="palette-input"
        placeholder="Go to a project, WEB-4F2, an event id …"
        autoComplete="off"
        spellCheck={false}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setChosen(0);
        }}
        onKeyDown={onKeyDown}
      />
      <div id={listId} role="listbox" aria-label="Places" className="palette-list">
        {commands.map((command, index) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: keys are handled at the input, which keeps the focus
          // biome-ignore lint/a11y/useFocusableInteractive: as above
          <div
            key={`${command.kind} ${command.to}`}
            id={`${listId}-${index}`}
            role="option"
            aria-selected={index === active}
            className="palette-option"
            ref={(element) => {
              if (index === active) element?.scrollIntoView({ block: "nearest" });
            }}
            onPointerMove={() => setChosen(index)}
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

function listCommands(text: string, projects: ReadonlyArray<{ slug: string; name: string }>): Command[] {
  const commands: Command[] = [];
  const eventId = text.replaceAll("-", "").toLowerCase();
  if (/^[0-9a-f]{32}$/.test(eventId)) {
    commands.push({ label: `Event ${eventId}`, kind: "Event", to: `/events/${eventId}`, icon: <Hash /> });
  }
  if (/^[a-z0-9][a-z0-9-]*-[0-9a-z]+$/i.test(text)) {
    const search = new URLSearchParams({ q: text.toUpperCase() });
    commands.push({ label: text.toUpperCase(), kind: "Issue", to: `/issues?${search}`, icon: <Bug /> });
  }
  const places: Command[] = [
    ...SECTIONS.map((section) => ({ label: section.label, kind: "Page", to: section.to, icon: <ArrowRight /> })),
    { label: "New project", kind: "Action", to: "/projects/new", icon: <Plus /> },
    ...projects.flatMap(({ slug, name }): Command[] => [
      { label: name, kind: "Issues of project", to: `/issues?project=${slug}`, icon: <Bug /> },
      { label: name, kind: "Project settings", to: `/projects/${slug}/settings`, icon: <Settings /> },
    ]),
  ];
  const words = text.toLowerCase().split(/\s+/);
  commands.push(
    ...places.filter((place) => {
      const haystack = `${place.label} ${place.kind} ${place.to}`.toLowerCase();
      return words.every((word) => haystack.includes(word));
    }),
  );
  if (text) {
    const search = new URLSearchParams({ q: text });
    commands.push({ label: `Search issues for “${text}”`, kind: "Search", to: `/issues?${search}`, icon: <Search /> });
    commands.push({ label: `Releases like “${text}”`, kind: "Search", to: `/releases?${search}`, icon: <Rocket /> });
  }
  return commands.slice(0, 40);
}
