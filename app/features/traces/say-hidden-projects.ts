/**
 * Shown with every trace if the viewer does not see every project, even if nothing is left out: otherwise the sentence would reveal
 * something about the other projects.
 */
export const HIDDEN_PROJECTS = "Spans, errors and log lines of projects that you do not see are left out.";
