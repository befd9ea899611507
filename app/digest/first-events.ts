import type { DirectoryStore } from "../stores/state/directory-store.ts";

/** Finds the batch that holds a project's first event, by asking the store once per project. */
export class FirstEvents {
  readonly #projects: Pick<DirectoryStore, "getProject">;
  readonly #started = new Set<number>();

  constructor(projects: Pick<DirectoryStore, "getProject">) {
    this.#projects = projects;
  }

  /** The given projects that have no event yet. */
  async withoutEvents(projectIds: Iterable<number>): Promise<Set<number>> {
    const found = new Set<number>();
    for (const projectId of new Set(projectIds)) {
      if (this.#started.has(projectId)) continue;
      const project = await this.#projects.getProject(projectId);
      if (project === null || project.firstEventAt !== null) this.#started.add(projectId);
      else found.add(projectId);
    }
    return found;
  }
}
