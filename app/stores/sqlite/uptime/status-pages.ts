import type { AuditFields } from "../../../domain/audit/audit-entry.ts";
import { includesProject, type Scope } from "../../../domain/scope.ts";
import type { StatusPage } from "../../../domain/uptime/status-page.ts";
import type { StatusPageLinks, StatusPageStore } from "../../state/status-page-store.ts";
import { nameProjects } from "../audit/names.ts";
import type { SqliteConnection } from "../connection.ts";

interface PageRow {
  projectId: number;
  slug: string;
  title: string;
  monitorIds: string;
  showsAddresses: number;
}

const SELECT = `SELECT s.project_id AS projectId, s.slug, s.title, s.monitor_ids AS monitorIds, s.shows_addresses AS showsAddresses
  FROM status_pages AS s`;

export function createStatusPageStores(db: SqliteConnection): {
  statusPages: StatusPageStore;
  statusPageLinks: StatusPageLinks;
} {
  const read = (projectId: number) =>
    toPage(db.get<PageRow>(`${SELECT} WHERE s.project_id = :projectId`, { projectId }));
  const save = (scope: Scope, page: StatusPage) => {
    const { projectId, slug } = page;
    if (!includesProject(scope, projectId)) return "not-found";
    if (db.get("SELECT 1 FROM status_pages WHERE slug = :slug AND project_id <> :projectId", { slug, projectId }))
      return "taken";
    const before = read(projectId);
    db.run(
      `INSERT INTO status_pages (project_id, slug, title, monitor_ids, shows_addresses)
       VALUES (:projectId, :slug, :title, :monitorIds, :showsAddresses)
       ON CONFLICT (project_id) DO UPDATE SET slug = excluded.slug, title = excluded.title,
         monitor_ids = excluded.monitor_ids, shows_addresses = excluded.shows_addresses`,
      {
        projectId,
        slug,
        title: page.title,
        monitorIds: JSON.stringify(page.monitorIds),
        showsAddresses: Number(page.showsAddresses),
      },
    );
    note(db, "status-page.edit", { before, after: page });
    return "saved";
  };
  return {
    statusPages: {
      getStatusPage: async (scope, projectId) => (includesProject(scope, projectId) ? read(projectId) : null),
      saveStatusPage: (scope, page) => db.write(() => save(scope, page)),
      restoreStatusPage: (scope, page) =>
        db.write(() =>
          includesProject(scope, page.projectId) && read(page.projectId) !== null ? "exists" : save(scope, page),
        ),
      deleteStatusPage: (scope, projectId) =>
        db.write(() => {
          const before = includesProject(scope, projectId) ? read(projectId) : null;
          if (before === null) return null;
          db.run("DELETE FROM status_pages WHERE project_id = :projectId", { projectId });
          note(db, "status-page.delete", { before, after: null });
          return before;
        }),
    },
    statusPageLinks: {
      // The page of a project that is being deleted disappears for strangers at once.
      findStatusPage: async (slug) =>
        toPage(
          db.get<PageRow>(`${SELECT} CROSS JOIN projects AS p ON p.id = s.project_id WHERE s.slug = :slug`, { slug }),
        ),
    },
  };
}

function toPage(row: PageRow | undefined): StatusPage | null {
  return row
    ? { ...row, monitorIds: JSON.parse(row.monitorIds) as number[], showsAddresses: row.showsAddresses === 1 }
    : null;
}

function note(
  db: SqliteConnection,
  action: "status-page.edit" | "status-page.delete",
  { before, after }: { before: StatusPage | null; after: StatusPage | null },
): void {
  const projectId = (after ?? before)?.projectId ?? 0;
  const [project] = nameProjects(db, [projectId]);
  db.note({
    action,
    target: { kind: "status page", id: projectId, name: project ?? `project ${projectId}` },
    ...(before && { before: toFields(before) }),
    ...(after && { after: toFields(after) }),
  });
}

function toFields({ slug, title, monitorIds, showsAddresses }: StatusPage): AuditFields {
  return { slug, title, monitors: monitorIds, showsAddresses };
}
