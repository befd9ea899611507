import { globSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { parseSync } from "vite";
import { describe, expect, test } from "vitest";
import { scanFunctionScopes } from "./scan-function-scopes.ts";

/** Name of the innermost function around the mark `@` in the code; null: in none. */
function nameAt(code: string): string | null {
  const offset = code.indexOf("@");
  const text = code.replace("@", "");
  const before = text.slice(0, offset).split("\n");
  const scopes = scanFunctionScopes(text);
  if (scopes === null) throw new Error("the scan lost its way");
  const scope = scopes.find({ line: before.length - 1, column: before.at(-1)?.length ?? 0 });
  if (scope === null) return null;
  const name = scope.names.map(({ text: each }) => each).join(".");
  return `${scope.kind === "constructor" ? "new " : ""}${name}${scope.wrapper === null ? "" : `<${scope.wrapper.text}`}`;
}

describe("what a function is named after", () => {
  test.each([
    ["function f(){@}", "f"],
    ["async function*f(a=1){@}", "f"],
    ["export default function(){@}", ""],
    ["let f=function(){@}", "f"],
    ["let f=function g(){@}", "g"],
    ["a.b.c=function(){@}", "a.b.c"],
    ["A.prototype.f=function(){@}", "A.f"],
    ["exports.f=()=>{@}", "f"],
    ["this.f=e=>@e", "f"],
    ["const f=async(a,b)=>{@}", "f"],
    ["const f=async a=>@a", "f"],
    ["let o={f(){@}}", "o.f"],
    ["let o={async*f(){@}}", "o.f"],
    ["let o={get f(){return @1}}", "o.f"],
    ["let o={'a b':function(){@}}", "o.a b"],
    ["let o={n:{f:()=>@1}}", "o.n.f"],
    ["call({f(){@}})", "f"],
    ["class A{constructor(){@}}", "new A"],
    ["class A{m(){@}}", "A.m"],
    ["class A{static async m(){@}}", "A.m"],
    ["class A{#m(){@}}", "A.#m"],
    ["class A{static#m(){@}}", "A.#m"],
    ["class A{get(){@}}", "A.get"],
    ["class A{f=()=>{@}}", "A.f"],
    ["class A{a=1\nf=()=>@1\ng=2}", "A.f"],
    ["let A=class extends B(c){m(){@}}", "A.m"],
    ["class A{static{@}}", null],
    ["class A{[Symbol.iterator](){@}}", ""],
    ["let f=w(()=>{@})", "f<w"],
    ["let f=(0,a.w)(()=>{@})", "f<w"],
    ["let f=a.w(function(){@},[])", "f<w"],
    ["list.map(e=>@e)", "<map"],
    ["list.reduce(0,e=>@e)", "<reduce"],
    ["!function(){@}()", ""],
    ["let x=function(){@}()", ""],
    ["let x=function(){@}.call(this)", ""],
    ["let o={x:function(){@}(1)}", ""],
    ["let x=function f(){@}()", "f"],
    ["let f=function(){@}.bind(this)", "f"],
    ["let f=function(){@};(g)()", "f"],
    ["let f=()=>{@}\n(g)()", "f"],
    ["@1", null],
    ["function f(){}@", null],
    ["let f=e=>e,g=@1", null],
    ["let x=a?e=>e:@1", null],
    ["let f=()=>a?b=>b:c=>@c", ""],
    ["let f=()=>1\n@g()", null],
  ])("%s", (code, name) => expect(nameAt(code)).toBe(name));
});

describe("characters that look like brackets and are not", () => {
  test.each([
    ["function f(){return/[/}]{/.test(a)}let b=@1", null],
    ["function f(){a=b/c;d=e/g}let b=@1", null],
    ["function f(){if(a)/}/.test(b)}@1", null],
    ["function f(){a++/b/(c)}@1", null],
    // biome-ignore lint/suspicious/noTemplateCurlyInString: it is code.
    ["function f(){return`}${{a:`}`}.a}}`}@1", null],
    ['function f(){\'}\';"}\\"}"}@1', null],
    ["function f(){/*}*/}//{\n@1", null],
    ["function f(){x={}/1;y=/}/}@1", null],
    ["function f(){a:{b:{}}return{c:/}/}}@1", null],
    ["let g={if:1,class:2,function(){@}}", "g.function"],
    ["p.catch(()=>{}).finally(()=>{@})", "<finally"],
    ["switch(a){case'x':{f=()=>{@}}}", "f"],
    ["let f=()=>({a:1});@1", null],
  ])("%s", (code, name) => expect(nameAt(code)).toBe(name));
});

test.each(["function f(){", "a)", "`${", '"', "/*", "class{", "f(]"])("gives up on what is no code: %s", (code) => {
  expect(scanFunctionScopes(code)).toBeNull();
});

test("decorators, which no engine runs yet, do not stop it", () => {
  expect(scanFunctionScopes("@a.b(c) class A { @d m() { return 1 } }")?.ranges()).toHaveLength(1);
});

test("reads numbers of all kinds, and of any length", () => {
  const digits = "1".repeat(2_000_000);
  expect(scanFunctionScopes(`f=()=>${digits}n`)?.ranges()).toEqual([[2, digits.length + 7]]);
  const numbers = ["1..f(()=>0)", "0x1Fn/2/3", "1_000.5e+3.f", ".5.f(0b1,0o7)", "1e3in{}"];
  for (const text of numbers) expect([text, scanFunctionScopes(text)]).not.toEqual([text, null]);
});

test("nests only so deep", () => {
  expect(scanFunctionScopes("(".repeat(10_000) + ")".repeat(10_000))).toBeNull();
  expect(scanFunctionScopes("(".repeat(1_000) + ")".repeat(1_000))).not.toBeNull();
});

/** Where a parser sees functions. */
function parsedRanges(file: string, text: string): string[] {
  const ranges: string[] = [];
  const walk = (
    node: unknown,
    parent: { type?: string; start?: number; method?: boolean; kind?: string } | null,
  ): void => {
    if (Array.isArray(node)) for (const each of node) walk(each, parent);
    if (typeof node !== "object" || node === null || Array.isArray(node)) return;
    const { type, start, end, body } = node as { type?: string; start?: number; end?: number; body?: unknown };
    if (/^(?:FunctionDeclaration|FunctionExpression|ArrowFunctionExpression)$/.test(type ?? "") && body) {
      const isMember =
        parent?.type === "MethodDefinition" ||
        (parent?.type === "Property" && (parent.method || parent.kind !== "init"));
      ranges.push(`${isMember ? parent?.start : start}:${end}`);
    }
    for (const value of Object.values(node)) if (typeof value === "object") walk(value, node);
  };
  const { program, errors } = parseSync(file, text, { lang: "js" });
  expect(errors).toEqual([]);
  walk(program, null);
  return ranges.sort();
}

describe("sees the functions that a parser sees, in the code of others", () => {
  const root = join(import.meta.dirname, "../..");
  const files = [
    "node_modules/react-dom/cjs/react-dom-client.production.js",
    "node_modules/react-dom/cjs/react-dom-server.node.production.js",
    "node_modules/@sentry/core/build/cjs/client.js",
    "node_modules/lodash/lodash.js",
    "node_modules/zod/v4/core/schemas.js",
    ...globSync("node_modules/playwright-core/lib/vite/traceViewer/assets/*.js", { cwd: root }),
  ].filter((file) => statSync(join(root, file), { throwIfNoEntry: false }) !== undefined);
  test.each(files)("%s", (file) => {
    const text = readFileSync(join(root, file), "utf8");
    const found = scanFunctionScopes(text)
      ?.ranges()
      .map((range) => range.join(":"));
    expect(found?.sort()).toEqual(parsedRanges(file, text));
  });
});
