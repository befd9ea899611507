/** Before the tests: the server that they start is the one of the sources as they are now. */
export { buildServer as default } from "../../scripts/build-server.ts";
