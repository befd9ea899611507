import type { Page } from "@playwright/test";
import axe, { type Result, type RunOptions } from "axe-core";

interface Limits {
  /** Ids of axe's rules; all that axe runs by itself, if not given. */
  rules?: readonly string[];
  /** Tags of rules, as `wcag2aa`. */
  tags?: readonly string[];
  /** A selector of the part that is looked at; the whole page, if not given. */
  within?: string;
}

/**
 * What axe finds wrong on the page as it is now. Frames within the page are not looked at; Culprit has none.
 *
 * axe itself is sent and compiled once for each page that is loaded, and only violations come back: that is half of what its
 * own driver for Playwright takes.
 */
export async function findViolations(page: Page, { rules, tags, within }: Limits = {}): Promise<Result[]> {
  if (!(await page.evaluate(() => "axe" in window))) await page.evaluate(axe.source);
  const options: RunOptions = { resultTypes: ["violations"] };
  if (rules) options.runOnly = { type: "rule", values: [...rules] };
  if (tags) options.runOnly = { type: "tag", values: [...tags] };
  return page.evaluate(
    async ([context, given]) => {
      // Colours between two themes, or before and under the pointer, are nobody's choice.
      const transitions = document.getAnimations().filter((animation) => animation instanceof CSSTransition);
      // None takes a second; one that is paused, or of what is hidden, may never end.
      const limit = new Promise((resolve) => setTimeout(resolve, 2_000));
      await Promise.race([Promise.allSettled(transitions.map(({ finished }) => finished)), limit]);
      const { run } = (window as unknown as { axe: typeof axe }).axe;
      return (await run(context ?? document, given)).violations;
    },
    [within, options] as const,
  );
}

export function isSerious({ impact }: Pick<Result, "impact">): boolean {
  return impact === "serious" || impact === "critical";
}
