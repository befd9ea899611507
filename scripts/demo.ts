// `npm run demo`: Culprit with two weeks of life of a small shop, to look around in. Runs as `scripts/start.ts` starts it, in the
// place of the server, and sends what SDKs would send from within: no port is asked, and no other server can get it.

import { randomBytes } from "node:crypto";
import { existsSync, readdirSync } from "node:fs";
import { requireEngine } from "../app/access/engine.ts";
import { fillDemo } from "./demo/fill-demo.ts";
import { PROJECTS } from "./demo/shop.ts";

process.env.DATA_DIR ||= "demo-data";
// By default, only this machine reaches the demo. Those who set HOST want others to see it.
process.env.HOST ||= "127.0.0.1";
process.env.CULPRIT_ADMIN ||= `demo@example.com:${randomBytes(9).toString("base64url")}`;
process.env.CULPRIT_PROJECT = PROJECTS[0].slug;

const folder = process.env.DATA_DIR;
if (existsSync(folder) && readdirSync(folder).length > 0) {
  process.stderr.write(
    `culprit: ${folder} holds data already, and the demo's would get mixed into it. Start what is there with ` +
      `\`DATA_DIR=${folder} npm start\`, delete the folder, or name an empty one: \`DATA_DIR=<folder> npm run demo\`.\n`,
  );
  process.exit(1);
}
await import(new URL("../build/node/server.js", import.meta.url).href);
const { errors, transactions, lines } = await fillDemo(requireEngine(), Date.now());
const [email, password] = process.env.CULPRIT_ADMIN.split(/:(.*)/s);
process.stdout.write(
  `culprit: the demo has ${errors} errors, ${transactions} transactions and ${lines} log lines. ` +
    `Sign in as ${email} with the password ${password}\n` +
    `culprit: its data is in ${folder}; \`DATA_DIR=${folder} npm start\` starts it again\n`,
);
