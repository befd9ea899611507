import type { ReactNode } from "react";

/** One line of a menu, as data, so that the same menu can be drawn before and after script has loaded. */
export type MenuItem =
  | { kind: "link"; to: string; label: string; icon?: ReactNode; isCurrent?: boolean }
  | {
      /** Posts these fields to an action; works before script has loaded. */
      kind: "submit";
      action: string;
      fields: Readonly<Record<string, string>>;
      /** Sent with script: the action then answers without a redirect, and the page stays where it is. */
      staysField?: string;
      label: string;
      icon?: ReactNode;
      isCurrent?: boolean;
      isDanger?: boolean;
    }
  /** Needs script; shown only when there is some. */
  | { kind: "button"; onSelect: () => void; label: string; icon?: ReactNode; shortcut?: string; isDanger?: boolean }
  | { kind: "heading"; label: string }
  | { kind: "separator" };
