import { expect, test } from "vitest";
import { readRuleDraft } from "../alerts/read-rule-draft.ts";
import { RULE_TEMPLATES } from "../alerts/rule-templates.ts";
import { METRIC_TEMPLATES } from "./metric-templates.ts";
import { readMetricSettings } from "./read-metric-settings.ts";

test("every template of a monitor can be saved as it stands", () => {
  for (const { id, typed } of METRIC_TEMPLATES)
    expect([id, readMetricSettings(typed, 0)]).toMatchObject([id, { ok: true }]);
  expect(new Set(METRIC_TEMPLATES.map(({ id }) => id)).size).toBe(METRIC_TEMPLATES.length);
});

test("every template of an alert rule can be saved as it stands", () => {
  for (const { id, name, draft } of RULE_TEMPLATES) {
    const read = readRuleDraft({ ...draft, name, projectIds: [1], match: "all", steps: [], isEnabled: true }, 0);
    expect([id, read]).toMatchObject([id, { ok: true }]);
  }
});
