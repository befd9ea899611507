/** Said of every trace to somebody who does not have every project, also where nothing is left out: that would tell of the others. */
export const HIDDEN_PROJECTS = "Spans, errors and log lines of projects that you do not see are left out.";
