import { spawn } from "node:child_process";

export interface ProgramResult {
  code: number | null;
  /** Both outputs, as they came. */
  output: string;
}

/** Runs a program that is not asked anything, with no environment but the given one; stopped after the time. */
export async function runToEnd(
  program: string,
  args: readonly string[],
  { cwd, env, timeoutMs }: { cwd: string; env: Record<string, string | undefined>; timeoutMs: number },
): Promise<ProgramResult> {
  const child = spawn(program, args, { cwd, env, stdio: ["ignore", "pipe", "pipe"], timeout: timeoutMs });
  let output = "";
  const collect = (part: Buffer) => {
    output += part.toString("utf8");
  };
  child.stdout.on("data", collect);
  child.stderr.on("data", collect);
  const code = await new Promise<number | null>((done, fail) => {
    child.once("error", fail);
    child.once("close", done);
  });
  return { code, output };
}
