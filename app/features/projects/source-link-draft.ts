import { type CodeMapping, MAX_CODE_MAPPINGS } from "../../domain/code-mapping.ts";
import type { SourceLinks } from "../../domain/source-link.ts";

/** Values of the form for links to the code, as typed. */
export interface SourceLinkDraft {
  /** Empty: no links. */
  host: string;
  repositoryUrl: string;
  template: string;
  defaultBranch: string;
  /** The rows of the table. A row with two empty fields is ignored. */
  codeMappings: CodeMapping[];
}

/** The action of a row's button. `index` counts from 0. */
export type RowChange =
  | { kind: "add" }
  | { kind: "remove"; index: number }
  | { kind: "up"; index: number }
  | { kind: "down"; index: number };

/** The field's value for the repository's root under any path: a row with two empty fields would be ignored. */
const ROOT = "/";

export function toDraft(links: SourceLinks | null): SourceLinkDraft {
  return {
    host: links?.host ?? "",
    repositoryUrl: links?.repositoryUrl ?? "",
    template: links?.template ?? "",
    defaultBranch: links?.defaultBranch ?? "main",
    codeMappings: (links?.codeMappings ?? []).map(({ stackRoot, sourceRoot }) => ({
      stackRoot,
      sourceRoot: stackRoot === "" && sourceRoot === "" ? ROOT : sourceRoot,
    })),
  };
}

export function readDraft(form: FormData): SourceLinkDraft {
  const texts = (name: string) => form.getAll(name).map((value) => (typeof value === "string" ? value : ""));
  const text = (name: string) => texts(name)[0] ?? "";
  const sourceRoots = texts("sourceRoot");
  return {
    host: text("host"),
    repositoryUrl: text("repositoryUrl"),
    template: text("template"),
    defaultBranch: text("defaultBranch"),
    codeMappings: texts("stackRoot")
      .slice(0, MAX_CODE_MAPPINGS)
      .map((stackRoot, index) => ({ stackRoot, sourceRoot: sourceRoots[index] ?? "" })),
  };
}

/** The value of a row's button: `add-mapping`, `remove-mapping:2`, …. `readRowIntent` returns null for any other value. */
export function toRowIntent(change: RowChange): string {
  return change.kind === "add" ? "add-mapping" : `${change.kind}-mapping:${change.index}`;
}

export function readRowIntent(intent: string): RowChange | null {
  if (intent === "add-mapping") return { kind: "add" };
  const match = /^(remove|up|down)-mapping:(\d{1,3})$/.exec(intent);
  return match ? { kind: match[1] as "remove" | "up" | "down", index: Number(match[2]) } : null;
}

/** The draft with a row added, removed or moved. Unchanged if the draft does not have the row. */
export function changeRows(draft: SourceLinkDraft, change: RowChange): SourceLinkDraft {
  const rows = [...draft.codeMappings];
  if (change.kind === "add") {
    if (rows.length < MAX_CODE_MAPPINGS) rows.push({ stackRoot: "", sourceRoot: "" });
  } else if (change.kind === "remove") {
    rows.splice(change.index, 1);
  } else {
    const { index } = change;
    const other = change.kind === "up" ? index - 1 : index + 1;
    const [row, neighbour] = [rows[index], rows[other]];
    if (row && neighbour) {
      rows[other] = row;
      rows[index] = neighbour;
    }
  }
  return { ...draft, codeMappings: rows };
}
