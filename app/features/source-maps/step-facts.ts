import type { FileReport, FoundFile } from "../../domain/symbolication.ts";
import type { ExplainedStep } from "../../symbolicate/explain-report.ts";
import { withDashes } from "../../symbolicate/upload-command.ts";

/** Technical text for a step: ids, URLs, uploads. */
export interface StepFact {
  step: ExplainedStep["step"];
  name: string;
  values: string[];
}

/** The facts behind the words of a file's steps, in the order of the steps. */
export function listFacts({ identity, upload, generatedFile, sourceMap, publicFetches }: FileReport): StepFact[] {
  const facts: StepFact[] = [];
  const add = (step: StepFact["step"], name: string, values: ReadonlyArray<string | null>): void => {
    const known = values.filter((value) => value !== null);
    if (known.length > 0) facts.push({ step, name, values: known });
  };
  add("event", "debug id", [identity.debugId && withDashes(identity.debugId)]);
  add("event", "release", [identity.release]);
  add("event", "dist", [identity.dist]);
  if (identity.debugId === null || upload.resolvedWith === "release")
    add("event", "URLs looked for", identity.candidateUrls);
  add("upload", "found by", [upload.resolvedWith === null ? null : upload.resolvedWith.replace("-", " ")]);
  add(
    "upload",
    "also in older uploads",
    upload.olderUploadIds.map((id) => `upload ${id}`),
  );
  add(
    "upload",
    "asked the application for",
    publicFetches.map(({ url, reason }) => (reason === null ? url : `${url}: ${reason}`)),
  );
  add(
    "upload",
    "nearly",
    upload.nearMisses.map(({ url, release, dist, debugId }) =>
      [url, release && `release ${release}`, dist && `dist ${dist}`, debugId && `debug id ${withDashes(debugId)}`]
        .filter(Boolean)
        .join(", "),
    ),
  );
  add("generated-file", "from", [generatedFile.file && describeFile(generatedFile.file)]);
  add("source-map", "from", [sourceMap.file && describeFile(sourceMap.file)]);
  add("source-map", "named by the file", [sourceMap.reference]);
  if (sourceMap.state !== "found") add("source-map", "URLs looked for", sourceMap.lookedFor);
  add("source-map", "holds", [
    sourceMap.sourceCount === null
      ? null
      : `${count(sourceMap.sourceCount, "source")}, ${count(sourceMap.mappingCount ?? 0, "mapping")}`,
  ]);
  return facts;
}

function count(number: number, noun: string): string {
  return `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
}

/** A file in an upload: `upload 12 (release 1.0): ~/assets/app.js, 1,204 bytes`. */
function describeFile({ bundleId, url, path, bytes, release, dist }: FoundFile): string {
  const of = release === null ? "" : ` (release ${release}${dist === null ? "" : `, dist ${dist}`})`;
  if (bundleId === 0) return `fetched: ${url ?? path}, ${bytes.toLocaleString("en")} bytes`;
  return `upload ${bundleId}${of}: ${url ?? path}, ${bytes.toLocaleString("en")} bytes`;
}
