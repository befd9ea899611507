import { refusal } from "../answers.ts";
import type { Dataset } from "./dataset.ts";
import { ERRORS_DATASET } from "./errors-dataset.ts";
import { LOGS_DATASET } from "./logs-dataset.ts";
import { SPANS_DATASET, TRANSACTIONS_DATASET } from "./spans-dataset.ts";

/** The datasets by the values of the parameter `dataset`, which are the names that stock tools use. */
const DATASETS: Readonly<Record<string, Dataset>> = {
  errors: ERRORS_DATASET,
  spans: SPANS_DATASET,
  spansEap: SPANS_DATASET,
  transactions: TRANSACTIONS_DATASET,
  logs: LOGS_DATASET,
  ourlogs: LOGS_DATASET,
};

/** @throws a 400 answer for a name of no dataset. */
export function requireDataset(name: string): Dataset {
  const dataset = Object.hasOwn(DATASETS, name) ? DATASETS[name] : undefined;
  if (dataset !== undefined) return dataset;
  throw refusal(
    400,
    `dataset: this version of Culprit cannot search "${name.slice(0, 40)}". It can search ${Object.keys(DATASETS).join(", ")}`,
  );
}
