import type { ReactNode } from "react";
import { CulpritMark } from "../../ui/culprit-mark.tsx";
import { SECTIONS } from "./sections.tsx";

/** The frame of last resort: plain links that load whole pages, so that they lead away from an error whatever it broke. */
export function PlainFrame({ children }: { children: ReactNode }) {
  return (
    <div className="plain-frame">
      <header>
        <a href="/" aria-label="Culprit: start">
          <CulpritMark className="size-8" />
        </a>
        <nav aria-label="Sections">
          <ul>
            {SECTIONS.map((section) => (
              <li key={section.to}>
                <a href={section.to}>{section.label}</a>
              </li>
            ))}
          </ul>
        </nav>
      </header>
      <main id="main" tabIndex={-1}>
        {children}
      </main>
    </div>
  );
}
