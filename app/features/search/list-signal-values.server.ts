import type { Workspace } from "../../access/workspace.ts";
import { LOG_VOCABULARY } from "../../domain/search/log-vocabulary.ts";
import { type FieldChoice, findField } from "../../domain/search/search-field.ts";
import { SPAN_VOCABULARY } from "../../domain/search/span-vocabulary.ts";
import { MAX_SUMMED_VALUES } from "../../domain/spans/summed-values.ts";
import { DAY_MS } from "../../domain/time.ts";
import { chooseProjects, type ValueRequest } from "./list-search-values.server.ts";
import { isTooLong, MAX_VALUES, rankByLetters, toSearchValues } from "./rank-by-letters.ts";
import { COUNTED_DAYS, type SearchValues, type ValueCount } from "./search-values.ts";

const MAX_KEYS = 200;
const MAX_COUNTED = 1_000;

const VOCABULARIES = { logs: LOG_VOCABULARY, spans: SPAN_VOCABULARY };

/** Attributes of log lines or spans (`key` null), or values of a field or an attribute, with their counts, most frequent first. */
export async function listSignalValues(
  workspace: Pick<Workspace, "events" | "state" | "scope">,
  { signal, key, text, slugs, now }: Omit<ValueRequest, "issueId"> & { signal: keyof typeof VOCABULARIES; now: number },
): Promise<SearchValues> {
  if (isTooLong(key, text)) return { values: [], isAll: true };
  const vocabulary = VOCABULARIES[signal];
  const { projectIds } = await chooseProjects(workspace, slugs);
  const filter = { projectIds, signal, from: now - COUNTED_DAYS * DAY_MS, to: now };
  const toCount = (count: number): ValueCount => ({ count, of: signal === "logs" ? "lines" : "spans" });
  if (key === null) {
    const [keys, cutKeys] = await Promise.all([
      workspace.events.listAttributeKeys(filter, MAX_KEYS),
      workspace.events.listCutKeys(filter),
    ]);
    const isCut = new Set(cutKeys);
    const others = keys.filter((each) => findField(vocabulary, each.key) === undefined);
    return toSearchValues(
      others.map((each) => ({ value: each.key, count: each.count })),
      {
        text,
        limit: MAX_KEYS,
        isWhole: keys.length < MAX_KEYS,
        toCount: (count, value) => ({ ...toCount(count), ...(isCut.has(value) && { isAtLeast: true }) }),
      },
    );
  }
  const lists = await Promise.all(
    toSummedKeys(signal, key).map((name) =>
      workspace.events.listAttributeValues({ ...filter, key: name }, MAX_COUNTED),
    ),
  );
  const counted = lists.find((list) => list.length > 0) ?? [];
  const isCut = counted.length >= MAX_SUMMED_VALUES;
  const field = findField(vocabulary, key);
  const values = toSearchValues(nameChoices(counted, field?.choices), {
    text,
    isWhole: counted.length < MAX_COUNTED,
    toCount: (count) => ({ ...toCount(count), ...(isCut && { isAtLeast: true }) }),
  });
  if (field?.key !== "service") return values;
  const projects = await workspace.state.projects.listProjects(workspace.scope);
  return withUnnamed(
    values,
    rankByLetters(
      projects.filter(({ id }) => projectIds.includes(id)).map(({ slug }) => ({ value: slug })),
      text,
    ),
  );
}

/** The services with those that name none: they are found by the slug of their project, and not counted by it. */
function withUnnamed({ values, isAll }: SearchValues, slugs: ReadonlyArray<{ value: string }>): SearchValues {
  const unnamed = slugs.filter(({ value }) => !values.some((named) => named.value === value));
  const all = [...values, ...unnamed.map(({ value }) => ({ value, counted: null }))];
  return { values: all.slice(0, MAX_VALUES), isAll: isAll && all.length <= MAX_VALUES };
}

/** Sums know values as they were sent. Pages call `warn` `warning`: values of one choice are one. */
export function nameChoices<Value extends { value: string; count: number }>(
  counted: readonly Value[],
  choices: readonly FieldChoice[] = [],
): Value[] {
  const named = new Map<string, Value>();
  for (const each of counted) {
    const value = choices.find(({ aliases }) => aliases?.includes(each.value))?.value ?? each.value;
    named.set(value, { ...each, value, count: each.count + (named.get(value)?.count ?? 0) });
  }
  return [...named.values()].sort((one, other) => other.count - one.count);
}

/** The keys by which the sums know a field: one of its names. For them, the name of a span is its name group. */
function toSummedKeys(signal: keyof typeof VOCABULARIES, key: string): string[] {
  const field = findField(VOCABULARIES[signal], key);
  if (!field) return [key];
  if (field.key === "span.name") return [];
  return field.key === "span.group" ? ["span.name"] : [field.key, ...(field.aliases ?? [])];
}
