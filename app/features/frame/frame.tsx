import { Search } from "lucide-react";
import { lazy, type ReactNode, Suspense, useEffect, useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { type SavedView, toViewPath } from "../../domain/saved-view.ts";
import { CulpritMark } from "../../ui/culprit-mark.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { MayBeMissing } from "../../ui/empty-state.tsx";
import { useToast } from "../../ui/toast.tsx";
import { useShortcuts } from "../../ui/use-shortcuts.ts";
import type { Backlog } from "../live/live-event.ts";
import { LiveNotice } from "../live/live-notice.tsx";
import { AccountMenu } from "./account-menu.tsx";
import { BacklogNotice } from "./backlog-notice.tsx";
import { CommandPalette } from "./command-palette.tsx";
import { type FrameNotice, FrameNotices } from "./frame-notices.tsx";
import { onKeptPage } from "./keep-page.ts";
import { MoreSections } from "./more-sections.tsx";
import { SectionLink } from "./section-link.tsx";
import { SECTIONS } from "./sections.tsx";

const ShortcutSheet = lazy(() => import("./shortcut-sheet.tsx"));

export interface FrameProps {
  viewer: { name: string; email: string };
  projects: ReadonlyArray<{ slug: string; name: string }>;
  views: readonly SavedView[];
  backlog: Backlog;
  notices: readonly FrameNotice[];
  /** Whether lists and graphs are incomplete. */
  isRebuilding: boolean;
  children: ReactNode;
}

/** Surrounds every page for signed-in people: with a rail at the left, or a bar at the bottom of a phone. */
export function Frame({ viewer, projects, views, backlog, notices, isRebuilding, children }: FrameProps) {
  const [overlay, setOverlay] = useState<"palette" | "shortcuts" | null>(null);
  const navigate = useNavigate();
  const showToast = useToast();
  useEffect(() => onKeptPage((message) => showToast({ tone: "failed", message })), [showToast]);
  const kept = useKeptFilters();
  /** The common filters go along. Without filters a list begins with its reader's default view. */
  const toSection = (to: string) => {
    const view = kept === "" ? views.find(({ isDefault, list }) => isDefault && to === `/${list}`) : undefined;
    return view ? toViewPath(view) : to + kept;
  };
  // A late message that one overlay has closed must not close another that was opened since.
  const close = (which: typeof overlay) => setOverlay((current) => (current === which ? null : current));

  useShortcuts({
    "mod+k": () => setOverlay("palette"),
    "?": () => setOverlay("shortcuts"),
    u: () => document.querySelector<HTMLElement>("[data-shortcut=u]")?.click(),
    ...Object.fromEntries(SECTIONS.map((section) => [`g ${section.key}`, () => void navigate(toSection(section.to))])),
  });

  return (
    <div className="frame">
      <a href="#main" className="skip-link">
        Skip to the content
      </a>
      <header className="rail">
        <Link to="/issues" className="rail-mark" aria-label="Culprit: all issues">
          <CulpritMark className="size-8" />
        </Link>
        <nav aria-label="Sections">
          <ul className="rail-sections">
            {SECTIONS.map((section) => (
              <li key={section.to} className={section.isBehindMore ? "rail-behind-more" : undefined}>
                <SectionLink section={section} to={toSection(section.to)} />
              </li>
            ))}
            <MoreSections toSection={toSection} />
          </ul>
        </nav>
        <button
          type="button"
          className="rail-item rail-search"
          data-tip="Go to anything  ⌘K or Ctrl K"
          onClick={() => setOverlay("palette")}
        >
          <span className="rail-icon">
            <Search aria-hidden="true" />
          </span>
          Go to
        </button>
        <AccountMenu viewer={viewer} onShowShortcuts={() => setOverlay("shortcuts")} />
      </header>
      <main id="main" className="frame-main" tabIndex={-1}>
        <FrameNotices notices={notices} />
        {!isRebuilding && <BacklogNotice read={backlog} />}
        <MayBeMissing value={isRebuilding}>{children}</MayBeMissing>
      </main>
      <LiveNotice />
      {/* The field is part of every page, so that it gets what is typed right after Ctrl K. */}
      {overlay === "palette" && <CommandPalette projects={projects} views={views} onClose={() => close("palette")} />}
      {/* It opens before its code is there. From the first moment, Escape closes it and does not reach the page behind. */}
      {overlay === "shortcuts" && (
        <Dialog title="Shortcuts" onClose={() => close("shortcuts")}>
          <Suspense>
            <ShortcutSheet />
          </Suspense>
        </Dialog>
      )}
    </div>
  );
}

/** The search with the filters that all data pages share. They go along from section to section. */
function useKeptFilters(): string {
  const [params] = useSearchParams();
  const kept = new URLSearchParams();
  for (const name of ["project", "environment", "range"]) {
    for (const value of params.getAll(name)) if (value) kept.append(name, value);
  }
  return kept.size > 0 ? `?${kept}` : "";
}
