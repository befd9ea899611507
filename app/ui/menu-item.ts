import type { ReactNode } from "react";

/** One line of a menu, as data, so that the same menu can be drawn before and after script has loaded. */
export type MenuItem =
  | { kind: "link"; to: string; label: string; icon?: ReactNode }
  | {
      /** Posts these fields to an action; works before script has loaded. */
      kind: "submit";
      action: string;
      fields: Readonly<Record<string, string>>;
      /** A field that is sent if there is script. Then the action answers without a redirect, and the page stays open. */
      staysField?: string;
      label: string;
      icon?: ReactNode;
      isCurrent?: boolean;
    }
  /** An item that needs script, and is only shown if there is script. */
  | { kind: "button"; onSelect: () => void; label: string; icon?: ReactNode; shortcut?: string }
  | { kind: "heading"; label: string }
  | { kind: "separator" };
