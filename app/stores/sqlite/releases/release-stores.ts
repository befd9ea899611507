import type { ReleaseStore } from "../../state/release-store.ts";
import type { RepositoryStore } from "../../state/repository-store.ts";
import type { SqliteConnection } from "../connection.ts";
import { createStoreMethods } from "../store-methods.ts";
import * as deploys from "./deploys.ts";
import { findVersions } from "./find-versions.ts";
import { listReleases } from "./list-releases.ts";
import * as commits from "./release-commits.ts";
import { listLeftOutReleases } from "./release-days.ts";
import { setHeads } from "./release-heads.ts";
import { compareReleaseIssues, listReleaseIssues } from "./release-issues.ts";
import * as releases from "./releases.ts";
import * as repositories from "./repositories.ts";
import { resolveFixedIssues } from "./resolve-fixed-issues.ts";

export function createReleaseStores(db: SqliteConnection): {
  releases: ReleaseStore;
  repositories: RepositoryStore;
} {
  const { read, write } = createStoreMethods(db);
  return {
    releases: {
      saveRelease: write(releases.saveRelease),
      getRelease: read(releases.getRelease),
      listReleases: read(listReleases),
      listLeftOutReleases: read(listLeftOutReleases),
      deleteRelease: write(releases.deleteRelease),
      getPreviousRelease: read(releases.getPreviousRelease),
      getNextRelease: read(releases.getNextRelease),
      findVersions: read(findVersions),
      getLatestRelease: read(releases.getLatestRelease),
      setCommits: write(commits.setCommits),
      setHeads: write(setHeads),
      listCommits: read(commits.listCommits),
      resolveFixedIssues: write(resolveFixedIssues),
      findCommitsByPath: read(commits.findCommitsByPath),
      addDeploy: write(deploys.addDeploy),
      listDeploys: read(deploys.listDeploys),
      listDeploysBetween: read(deploys.listDeploysBetween),
      listReleaseIssues: read(listReleaseIssues),
      compareReleaseIssues: read(compareReleaseIssues),
    },
    repositories: {
      listRepositories: read(repositories.listRepositories),
      getRepository: read(repositories.getRepository),
      createRepository: write(repositories.createRepository),
      changeRepository: write(repositories.changeRepository),
      deleteRepository: write(repositories.deleteRepository),
    },
  };
}
