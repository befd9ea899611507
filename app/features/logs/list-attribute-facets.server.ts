import type { Workspace } from "../../access/workspace.ts";
import type { ScopedProjectIds } from "../../domain/scope.ts";
import { LOG_VOCABULARY } from "../../domain/search/log-vocabulary.ts";
import { findField } from "../../domain/search/search-field.ts";
import { readTextNumber } from "../../domain/search/text-number.ts";
import { MAX_SUMMED_VALUES } from "../../domain/spans/summed-values.ts";

const MAX_KEYS = 60;
const MAX_FACETS = 3;
const MAX_VALUES = 5;

/**
 * Attributes that SDKs add to each line by themselves. They say where code runs and is stored, and would leave no space for the
 * application's own attributes.
 */
const OF_SDK =
  /^parent_span_id$|^(?:code|source|thread|process|instrumentation|resource|telemetry|server|host|os|browser|device)\./;

export interface AttributeFacet {
  key: string;
  values: Array<{ value: string; count: number }>;
  /** True: rarer values were not summed, so the counts are lower bounds. */
  isCut: boolean;
  /** Whether all of the values are numbers. */
  isNumeric: boolean;
}

/**
 * The most frequent attributes with their values, the application's own first. They come from the sums of logs, and may lag by a
 * minute.
 */
export async function listAttributeFacets(
  { events }: Pick<Workspace, "events">,
  range: { projectIds: ScopedProjectIds; from: number; to: number },
): Promise<{
  attributes: AttributeFacet[];
  attributeKeys: string[];
}> {
  const filter = { ...range, signal: "logs" as const };
  const keys = (await events.listAttributeKeys(filter, MAX_KEYS))
    .map(({ key }) => key)
    .filter((key) => !key.startsWith("sentry.") && findField(LOG_VOCABULARY, key) === undefined);
  const attributes = await Promise.all(
    ownFirst(keys)
      .slice(0, MAX_FACETS)
      .map(async (key) => {
        const values = await events.listAttributeValues({ ...filter, key }, MAX_SUMMED_VALUES);
        const isNumeric = values.every(({ value }) => readTextNumber(value) !== null);
        return { key, values: values.slice(0, MAX_VALUES), isCut: values.length === MAX_SUMMED_VALUES, isNumeric };
      }),
  );
  return { attributes, attributeKeys: keys };
}

function ownFirst(keys: readonly string[]): string[] {
  return [...keys.filter((key) => !OF_SDK.test(key)), ...keys.filter((key) => OF_SDK.test(key))];
}
