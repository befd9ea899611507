import { type ChildProcess, type SpawnOptions, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import type { LogLine } from "./start-server.ts";

/** A server that was started as an operator starts it, and what it logs. */
export interface StartedCommand {
  child: ChildProcess;
  /** With the code, or the signal that ended it. */
  ended: Promise<number | NodeJS.Signals | null>;
  /** Resolves with the first line that has this message, or with a later one, past ones included. Fails if the command ends before. */
  waitFor(message: string, nth?: number): Promise<LogLine>;
}

const WAIT_MS = 120_000;

/** The environment is nothing but `env` and what makes a server log JSON and stay on this machine, on any free port. */
export function startCommand(
  command: string,
  args: readonly string[],
  { env, ...options }: SpawnOptions & { env: Record<string, string | undefined> },
): StartedCommand {
  const child = spawn(command, args, {
    stdio: ["ignore", "pipe", "pipe"],
    ...options,
    env: { PATH: process.env.PATH, PORT: "0", HOST: "127.0.0.1", LOG_FORMAT: "json", MIN_FREE_DISK_BYTES: "0", ...env },
  });
  const killWithUs = () => child.kill("SIGKILL");
  process.once("exit", killWithUs);
  const ended = new Promise<number | NodeJS.Signals | null>((done) =>
    child.once("exit", (code, signal) => {
      process.off("exit", killWithUs);
      done(code ?? signal);
    }),
  );
  const lines: LogLine[] = [];
  const said: string[] = [];
  const listeners = new Set<() => void>();
  if (child.stdout) {
    createInterface({ input: child.stdout }).on("line", (text) => {
      said.push(text);
      if (text.startsWith("{")) lines.push(JSON.parse(text));
      for (const listener of listeners) listener();
    });
  }
  child.stderr?.on("data", (chunk: Buffer) => said.push(chunk.toString("utf8")));
  return {
    child,
    ended,
    waitFor: (message, nth = 1) =>
      new Promise((done, fail) => {
        const timer = setTimeout(() => giveUp(`no "${message}" in ${WAIT_MS} ms`), WAIT_MS);
        const end = () => {
          clearTimeout(timer);
          listeners.delete(look);
        };
        function look() {
          const line = lines.filter(({ msg }) => msg === message)[nth - 1];
          if (!line) return;
          end();
          done(line);
        }
        function giveUp(why: string) {
          end();
          fail(new Error(`${why}\n${said.join("\n")}`));
        }
        listeners.add(look);
        look();
        ended.then((how) => giveUp(`the command ended with ${how}`));
      }),
  };
}
