import { chmodSync, rmSync } from "node:fs";
import { createServer, type Server, type Socket } from "node:net";
import type { Log } from "../log.server.ts";
import { controlPath, withSocketPath } from "./control-path.server.ts";
import { ConnectionEndedError, type Message, MessageLines } from "./message-lines.ts";

/** Commands that run at once; a person types one. */
const MAX_CONNECTIONS = 8;
const REQUEST_WITHIN_MS = 10_000;

/** Does what a request asks, and gives what is answered. It may talk with the other side meanwhile. */
export type ControlCommand = (request: Message, lines: MessageLines) => Promise<Message>;

export interface ControlSocket {
  /** Ends the connections that are open. */
  close(): Promise<void>;
}

/**
 * Listens in the data folder for commands of people who may read it: the socket has mode 0600, and no password or token is
 * asked. A connection is one request, `{"command": …}`, and one answer: `{"ok": true, …}` or `{"ok": false, "message": …}`. The lock on
 * the folder must be ours, so that a socket that is there already is one that a dead process has left.
 */
export async function openControlSocket({
  dataDir,
  commands,
  log,
}: {
  dataDir: string;
  commands: Readonly<Record<string, ControlCommand>>;
  log: Log;
}): Promise<ControlSocket> {
  const sockets = new Set<Socket>();
  const running = new Set<Promise<void>>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
    const lines = new MessageLines(socket);
    const work = answer(lines, commands, log).finally(() => {
      running.delete(work);
      socket.end();
    });
    running.add(work);
  });
  server.maxConnections = MAX_CONNECTIONS;
  const path = controlPath(dataDir);
  rmSync(path, { force: true });
  try {
    await listen(server, dataDir);
    chmodSync(path, 0o600);
  } catch (error) {
    server.close();
    // Events and pages do not need it.
    log.warn({ err: error }, "commands for the running server cannot be taken: its control socket does not open");
  }
  return {
    async close() {
      for (const socket of sockets) socket.destroy();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      await Promise.all(running);
      try {
        rmSync(path, { force: true });
      } catch (error) {
        // The disk has become read-only. The next server takes the place of the file.
        log.warn({ err: error }, "the control socket cannot be removed");
      }
    },
  };
}

/** Nobody else can connect between the socket's making and the change of its mode, because it is made with the mode. */
function listen(server: Server, dataDir: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once("error", reject);
    const mask = process.umask(0o177);
    try {
      withSocketPath(dataDir, (path) => server.listen(path, () => resolve()));
    } catch (error) {
      reject(error);
    } finally {
      process.umask(mask);
    }
  });
}

async function answer(lines: MessageLines, commands: Readonly<Record<string, ControlCommand>>, log: Log) {
  let name = "";
  try {
    const request = await lines.receive(REQUEST_WITHIN_MS);
    name = String(request.command);
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) throw new Error(`this version of Culprit knows no command ${JSON.stringify(name)}`);
    log.info({ command: name }, "a command has come through the control socket");
    lines.send({ ok: true, ...(await command(request, lines)) });
  } catch (error) {
    if (!(error instanceof ConnectionEndedError)) log.warn({ err: error, command: name }, "a command has failed");
    lines.send({ ok: false, message: error instanceof Error ? error.message : String(error) });
  }
}
