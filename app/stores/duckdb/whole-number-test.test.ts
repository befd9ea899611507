import { expect, test } from "vitest";
import { createRandom } from "../../domain/search/fixtures/random.ts";
import { toWholeNumberTest } from "./whole-number-test.ts";

const SIGNS = ["=", ">", ">=", "<", "<="] as const;
const COMPARE: Record<(typeof SIGNS)[number], (one: number, other: number) => boolean> = {
  "=": (one, other) => one === other,
  ">": (one, other) => one > other,
  ">=": (one, other) => one >= other,
  "<": (one, other) => one < other,
  "<=": (one, other) => one <= other,
};

/** Whether a whole number passes what the SQL says. */
function passes(sql: string, whole: number): boolean {
  if (sql === "true" || sql === "false") return sql === "true";
  const [, sign = "", bound] = /^us (>=|<=|=) (-?\d+)$/.exec(sql) ?? [];
  return COMPARE[sign as keyof typeof COMPARE](whole, Number(bound));
}

test("whole numbers pass as their quotients do, around each value and however it is rounded", () => {
  const random = createRandom(1);
  const values = [0, 1, -1, 0.1, 0.7, 1.001, 8.349288942349121, 1e12 + 0.003, 1e300, -1e300];
  for (let each = 0; each < 500; each++)
    values.push(Math.floor(random() * 1e7) / 1000, random() * 10 ** (random() * 9));
  for (const value of values) {
    for (const sign of SIGNS) {
      const sql = toWholeNumberTest("us", { kind: "compare", sign, value }, { divisor: 1000, bind: String });
      const near = Number.isSafeInteger(Math.round(value * 1000)) ? Math.round(value * 1000) : 0;
      for (let whole = near - 3; whole <= near + 3; whole++)
        expect(passes(sql, whole), `${whole} / 1000 ${sign} ${value}: ${sql}`).toBe(COMPARE[sign](whole / 1000, value));
    }
  }
});
