import type { Engine } from "../../engine/engine.ts";
import { requireProject } from "./authorize.server.ts";

/** `?project=…`, by number or slug, repeatable; null: all. @throws a 404 answer. */
export async function readProjectIds(engine: Engine, url: URL): Promise<number[] | null> {
  const wanted = url.searchParams.getAll("project").filter((text) => text !== "" && text !== "-1");
  if (wanted.length === 0) return null;
  return Promise.all(wanted.map(async (text) => (await requireProject(engine, text)).id));
}
