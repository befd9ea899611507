import { readFileSync } from "node:fs";
import { afterAll, beforeAll, describe } from "vitest";
import { createDirectoryStore, createProjectStore } from "../../app/stores/sql/project-store.ts";
import { createTokenStore } from "../../app/stores/sql/token-store.ts";
import { describeProjectsAndKeys } from "../../app/stores/state/contract/projects-and-keys.contract.ts";
import { describeTokens } from "../../app/stores/state/contract/tokens.contract.ts";
import { createPostgresQueryRunner } from "../support/postgres-query-runner.ts";
import { findPostgres, type PostgresServer, startPostgres } from "../support/postgres-server.ts";

const binFolder = findPostgres();
const SCHEMA = readFileSync(new URL("../fixtures/postgres/tokens-and-projects.sql", import.meta.url), "utf8");

/** The name says why when the run skips it. */
const title = binFolder === null ? "on PostgreSQL, which this machine does not have" : `on PostgreSQL of ${binFolder}`;

describe.skipIf(binFolder === null)(title, () => {
  let server: PostgresServer;

  beforeAll(async () => {
    if (binFolder !== null) server = await startPostgres(binFolder);
  });
  afterAll(async () => {
    await server[Symbol.asyncDispose]();
  });

  async function createDatabase() {
    const pool = await server.openSchema(SCHEMA);
    const queries = createPostgresQueryRunner(pool);
    const stores = {
      projects: createProjectStore(queries),
      directory: createDirectoryStore(queries),
      tokens: createTokenStore(queries),
      async createUser() {
        const { rows } = await pool.query<{ id: string }>("INSERT INTO users (name) VALUES ('Ada') RETURNING id");
        return Number(rows[0]?.id);
      },
    };
    return { connect: async () => stores, async [Symbol.asyncDispose]() {} };
  }

  describe("projects and keys", () => describeProjectsAndKeys(createDatabase));
  describe("tokens", () => describeTokens(createDatabase, (stores) => stores.createUser()));
});
