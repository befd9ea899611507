import { mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { Ajv2020, type ValidateFunction } from "ajv/dist/2020.js";

const root = resolve(import.meta.dirname, "../..");

interface Operation {
  responses: Record<string, { content?: Record<string, { schema?: object }> }>;
}

interface ApiDocument {
  openapi: string;
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

export interface ApiAnswer {
  method: string;
  /** After `/api/0`, without the query. */
  path: string;
  status: number;
  contentType: string | null;
  body: string;
}

/** Says whether answers of a server are those that its OpenAPI document promises. */
export interface AnswerChecker {
  document: ApiDocument;
  /** What contradicts the document; null when nothing does. */
  findContradiction(answer: ApiAnswer): string | null;
}

/** Statuses that the document describes by `default`: the same refusal everywhere. */
const REFUSALS = new Set([400, 401, 403, 404, 405, 409, 413, 415, 503, 507]);

let checker: Promise<AnswerChecker> | undefined;

/**
 * By the document of the first server that is asked. All that are built from the same sources have the same one, but for where
 * they are reached (api-tokens.test.ts), and it takes a server a fifth of a second to make: it is kept from one test file to the
 * next.
 */
export function openAnswerChecker(url: string): Promise<AnswerChecker> {
  checker ??= readDocument(url).then(createAnswerChecker);
  return checker;
}

async function readDocument(url: string): Promise<ApiDocument> {
  const folder = join(root, "tests", ".cache", "api-documents");
  const hash = readFileSync(join(root, "build", "node", ".source-hash"), "utf8").trim();
  // The pages answer it, and are built apart: before them, a server of the new sources gives the old one.
  const { mtimeMs } = statSync(join(root, "build", "server", "index.js"));
  const path = join(folder, `${hash}-${mtimeMs}.json`);
  const kept = readKept(path);
  if (kept) return JSON.parse(kept) as ApiDocument;
  const response = await fetch(`${url}/api/0/openapi.json`);
  const text = await response.text();
  if (!response.ok) throw new Error(`openapi.json answered ${response.status}: ${text}`);
  const document = JSON.parse(text) as ApiDocument;
  mkdirSync(folder, { recursive: true });
  // Another process may read it at any moment.
  writeFileSync(`${path}.${process.pid}`, text);
  renameSync(`${path}.${process.pid}`, path);
  return document;
}

function readKept(path: string): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return null;
  }
}

function createAnswerChecker(document: ApiDocument): AnswerChecker {
  // That schemas are schemas is looked at once, beside the table of endpoints.
  const ajv = new Ajv2020({ strict: false, validateFormats: false, validateSchema: false });
  ajv.addSchema({ $id: "document", components: document.components });
  const validators = new Map<object, ValidateFunction>();
  const validatorOf = (schema: object) => {
    const validator = validators.get(schema) ?? ajv.compile(withAbsoluteRefs(schema));
    validators.set(schema, validator);
    return validator;
  };
  const templates = Object.keys(document.paths)
    .map((template) => ({ template, pattern: toPattern(template), names: template.split("{").length }))
    .sort((a, b) => a.names - b.names);

  return {
    document,
    findContradiction({ method, path, status, contentType, body }) {
      const where = `${method} ${path} answered ${status}`;
      const template = templates.find(({ pattern }) => pattern.test(path))?.template;
      const operation = template && document.paths[template]?.[method === "HEAD" ? "get" : method.toLowerCase()];
      if (!operation) {
        return status === 404 || status === 405 || status === 401
          ? null
          : `${where}, and the document has no such operation`;
      }
      const promised =
        operation.responses[String(status)] ?? (REFUSALS.has(status) ? operation.responses.default : null);
      if (!promised) return `${where}, which the document does not have`;
      const schema = promised.content?.["application/json"]?.schema;
      const isFile = promised.content?.["application/octet-stream"] !== undefined;
      if (isFile && contentType === "application/octet-stream") return null;
      if (!schema) return body === "" ? null : `${where} with a body, and the document has none`;
      if (!/^application\/json\b/.test(contentType ?? "")) return `${where} as ${contentType}`;
      const validate = validatorOf(schema);
      if (validate(JSON.parse(body))) return null;
      return `${where}, and ${ajv.errorsText(validate.errors)} in ${body.slice(0, 2000)}`;
    },
  };
}

function withAbsoluteRefs(schema: object): object {
  return JSON.parse(JSON.stringify(schema).replaceAll('"#/components/', '"document#/components/')) as object;
}

function toPattern(template: string): RegExp {
  const escaped = template.replace(/[.+?^$()|[\]\\]/g, "\\$&").replace(/\{\w+\}/g, "[^/]+");
  return new RegExp(`^${escaped.replace(/\/$/, "")}/?$`);
}
