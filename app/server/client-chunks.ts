import { resolve } from "node:path";

const APP = resolve(import.meta.dirname, "..");

/** A file into which a build puts several modules, which would otherwise get a file each. */
interface ClientChunk {
  name: string;
  /** Paths from `app/`, without their ending. */
  modules: string[];
  /** Names of Lucide's files, without their ending. */
  icons: string[];
}

/**
 * Without this list, the build makes a file for each set of pages that share modules, and most of these files are smaller than a request.
 * Over HTTP/1.1 a browser loads six at a time: an issue's page had 51 scripts, and has 13. A chunk lists modules that about the same pages
 * need, because a page that needs one of them loads all. The imports of a chunk's modules go into the same chunk: modules that more pages
 * need must be in a chunk above.
 */
export const CLIENT_CHUNKS: ClientChunk[] = [
  {
    // Modules that the list and the pages of an issue share. It is a part of the first load.
    name: "issues",
    modules: [
      "domain/issues/triage",
      "features/issues/assignee-name",
      "features/issues/issue-filters",
      "features/issues/issue-status-badge",
      "features/issues/priority-sign",
      "features/issues/remembered-lists",
    ],
    icons: [],
  },
  {
    // Small parts of most pages, but of the first load.
    name: "parts",
    modules: [
      "domain/release-version",
      "features/frame/use-reader",
      "features/frame/use-sends-nothing",
      "features/markdown/copy-page-button",
      "features/projects/platforms",
      "features/projects/project-mark",
      "features/releases/release-paths",
      "navigation/keep-while-same",
      "ui/button-form",
      "ui/card",
      "ui/choice-links",
      "ui/clock",
      "ui/code-block",
      "ui/code-field",
      "ui/copy-field",
      "ui/disclosure",
      "ui/format-bytes",
      "ui/group-error",
      "ui/intent-form",
      "ui/kept-focus",
      "ui/name-text",
      "ui/numbered-pages",
      "ui/options",
      "ui/search-input",
      "ui/table",
      "ui/use-answer-in-sight",
      "ui/use-copy-link",
    ],
    icons: ["bell-ring", "clock", "file-text", "plus", "rotate-ccw"],
  },
  {
    // Modules that the pages of an issue share. Pages of monitors share some of them.
    name: "issue",
    modules: [
      "domain/issues/priority",
      "domain/issues/say-archive",
      "features/alerts/open-periods-notice",
      "features/events/stack-options",
      "features/issues/archive-options",
      "features/issues/assignee-list",
      "features/issues/commit-fields",
      "features/issues/issue-paths",
      "features/issues/list-in-words",
      "features/issues/resolution-words",
      "features/issues/resolved-notice",
      "features/issues/snooze-options",
      "features/issues/suggested-assignees",
      "features/releases/to-deploy-marks",
      "features/silences/silence-notice",
      "ui/bar-graph",
      "ui/time-graph",
    ],
    icons: ["circle-dashed", "circle-exclamation-point", "git-commit-horizontal"],
  },
  {
    // Modules that an event shares with the pages of its trace, its release and its project's source maps.
    name: "event-parts",
    modules: [
      "domain/source-link",
      "features/deletions/deletion-words",
      "features/events/attachment-list",
      "features/events/attachment-picture",
      "features/events/comparison-choice",
      "features/events/source-link",
      "features/feedback/feedback-words",
      "features/jobs/use-reading-again",
      "features/releases/commit-list",
      "features/source-maps/fix-list",
      "features/source-maps/step-state",
      "features/timeline/timeline-options",
      "features/timeline/waiting-timeline",
      "symbolicate/upload-command",
      "ui/key-value-list",
    ],
    icons: ["bell-off", "navigation"],
  },
  {
    // Modules that write a search, for links to one.
    name: "search-words",
    modules: ["domain/search/print-search", "domain/search/quote", "domain/search/search-key"],
    icons: [],
  },
  {
    // Modules that read a search, for the chips of search fields, and forms of rules and monitors.
    name: "search-language",
    modules: [
      "domain/search/bind-search",
      "domain/search/event-vocabulary",
      "domain/search/issue-vocabulary",
      "domain/search/parse-search",
      "domain/search/search-parser",
      "domain/search/search-tree",
    ],
    icons: [],
  },
  {
    // Modules that alert rules and metric monitors share.
    name: "alert-parts",
    modules: [
      "domain/alerts/silence",
      "features/alerts/alert-sentence",
      "features/alerts/no-mail",
      "features/alerts/outcome-list",
      "features/silences/silence-buttons",
      "features/monitors/template-links",
    ],
    icons: [],
  },
];

/** The value of `codeSplitting.groups` in the build. If several chunks list a module, the first one takes it. */
export const CLIENT_CHUNK_GROUPS = CLIENT_CHUNKS.map(({ name, modules, icons }) => {
  const paths = [
    ...modules.map((path) => `${APP}/${path}`),
    ...icons.map((icon) => `/lucide-react/dist/esm/icons/${icon}`),
  ];
  return { name, test: (id: string) => paths.some((path) => id.replace(/\.tsx?$|\.mjs$/, "").endsWith(path)) };
});
