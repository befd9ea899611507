import { expect, test } from "vitest";
import { renameInView } from "./rename-in-view.ts";

test.each([
  ["project=web&project=api", "project=shop&project=api"],
  ["q=is%3Aunresolved+project%3Aweb&range=7d", "q=is%3Aunresolved+project%3Ashop&range=7d"],
  ['q=!project:[api, "web", web] OR (project.name:web a)', "q=!project:[api, shop, shop] OR (project.name:shop a)"],
  // What only looks like it stays as it is.
  ["q=tags[project]:web web project:web* project:webs&environment=web", null],
  ["q=project:(web", null],
  ["", null],
])("%s", (query, renamed) => {
  const after = renameInView(query, { from: "web", to: "shop" });
  if (renamed === null) expect(after).toBe(query);
  else expect([...new URLSearchParams(after)]).toEqual([...new URLSearchParams(renamed)]);
});
