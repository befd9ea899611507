import type { Workspace } from "../../access/workspace.ts";
import { toProjectScope } from "../query.ts";
import type { RowsQuery } from "./dataset.ts";
import { requireDataset } from "./datasets.ts";

/** The result for one part of a search. `error` null: nothing is wrong with it. */
interface Checked {
  name: string;
  valid: boolean;
  error: string | null;
}

interface CheckedField extends Checked {
  attrType: "string" | "number" | "boolean";
}

export interface CheckedSearch {
  valid: boolean;
  dataset: Checked[];
  projects: Checked[];
  environment: Checked[];
  field: CheckedField[];
  query: { valid: boolean; error: string | null; fields: CheckedField[] };
  orderby: CheckedField[];
}

/** Says for each part of a search whether `events/` would accept it. The errors are the same sentences as there. Nothing is searched. */
export async function checkSearch(
  workspace: Workspace,
  { query, sorts, url, now }: { query: RowsQuery; sorts: readonly string[]; url: URL; now: number },
): Promise<CheckedSearch> {
  const dataset = await check(query.dataset, () => void requireDataset(query.dataset));
  const known = dataset.valid ? requireDataset(query.dataset) : null;
  // A project that does not exist is answered 404, as in a search. It is not an error of one part.
  await toProjectScope(workspace, query);
  const typeOf = (name: string) => known?.checkField(name);
  const call = { workspace, query, url, now };
  const field = await Promise.all(
    query.field.map((name) =>
      checkTyped(name, async () => {
        const type = typeOf(name);
        await known?.checkKnown?.(call, [name]);
        return type;
      }),
    ),
  );
  const orderby = await Promise.all(
    sorts.map((name) =>
      checkTyped(name, () => {
        known?.checkSort(name, query.field);
        return typeOf(name.replace(/^-/, ""));
      }),
    ),
  );
  const { valid, error } = await check(query.query, () => known?.checkQuery(call));
  const parts = [dataset, ...field, ...orderby];
  return {
    valid: valid && parts.every((part) => part.valid),
    dataset: [dataset],
    projects: query.project.map(toValid),
    environment: query.environment.map(toValid),
    field,
    query: { valid, error, fields: [] },
    orderby,
  };
}

/** @param ask checks the part; throws the answer of the refusal */
async function check(name: string, ask: () => unknown): Promise<Checked> {
  try {
    await ask();
    return toValid(name);
  } catch (thrown) {
    if (!(thrown instanceof Response)) throw thrown;
    const { detail } = (await thrown.json()) as { detail: string };
    return { name, valid: false, error: detail };
  }
}

/** @param ask returns the type of the part; if it throws a refusal, the type is `string` */
async function checkTyped(
  name: string,
  ask: () => CheckedField["attrType"] | undefined | Promise<CheckedField["attrType"] | undefined>,
): Promise<CheckedField> {
  let attrType: CheckedField["attrType"] = "string";
  const checked = await check(name, async () => {
    attrType = (await ask()) ?? attrType;
  });
  return { ...checked, attrType };
}

function toValid(name: string): Checked {
  return { name, valid: true, error: null };
}
