import { data } from "react-router";
import { viewerContext, workspaceContext } from "../../context.ts";
import { API_SCOPES } from "../../domain/api-token.ts";
import { BUILT_IN_SLUG } from "../../domain/project.ts";
import { hasRight } from "../../domain/scope.ts";
import { changeTokens, seesToken } from "../../features/auth/change-tokens.server.ts";
import { MadeTokenNotice } from "../../features/auth/made-token.tsx";
import { requireViewer } from "../../features/auth/require-viewer.server.ts";
import { TokenForm } from "../../features/auth/token-form.tsx";
import { TokenList } from "../../features/auth/token-list.tsx";
import { keepTyped } from "../../features/input/typed-fields.ts";
import { Notice } from "../../ui/notice.tsx";
import { PageHeader } from "../../ui/page-header.tsx";
import type { Route } from "./+types/tokens.ts";

export async function loader({ context, url }: Route.LoaderArgs) {
  const viewer = requireViewer(context.get(viewerContext), url);
  const { state, scope } = context.get(workspaceContext);
  const [tokens, projects] = await Promise.all([state.tokens.listTokens(), state.projects.listProjects(scope)]);
  const wanted = url.searchParams.get("project");
  // Builds seldom upload to Culprit's own project.
  const project = projects.find(({ slug }) => slug === wanted) ?? projects.find(({ slug }) => slug !== BUILT_IN_SLUG);
  return {
    tokens: tokens.filter((token) => seesToken(scope, viewer, token)),
    scopes: API_SCOPES.filter((each) => hasRight(scope, each)),
    mayMakeForAll: hasRight(scope, "org:write"),
    projects: projects.map(({ slug, name }) => ({ slug, name })),
    project: project?.slug ?? "",
  };
}

export async function action({ context, request, url }: Route.ActionArgs) {
  const viewer = requireViewer(context.get(viewerContext), url);
  const form = await request.formData();
  const result = await changeTokens(context.get(workspaceContext), { viewer, form, url, now: Date.now() });
  return result.ok ? result : data({ ...result, typed: keepTyped(form) }, { status: result.status });
}

export default function TokensPage({ loaderData, actionData }: Route.ComponentProps) {
  const { tokens, scopes, mayMakeForAll, projects, project } = loaderData;
  const refusal = actionData && !actionData.ok ? actionData : null;
  const made = actionData?.ok && "made" in actionData ? actionData.made : null;
  return (
    <div className="grid grid-cols-[minmax(0,1fr)] max-w-[56rem] gap-4">
      <PageHeader title="Tokens" trail={[{ label: "Settings", to: "/settings" }]} />
      {made && <MadeTokenNotice made={made} />}
      {actionData?.ok && "revoked" in actionData && (
        <Notice tone="done" title={`Token “${actionData.revoked}” is revoked.`} />
      )}
      {(refusal?.field === "list" || refusal?.field === "intent") && <Notice tone="error" title={refusal.message} />}
      <TokenList tokens={tokens} />
      <TokenForm
        key={tokens[0]?.id ?? 0}
        scopes={scopes}
        mayMakeForAll={mayMakeForAll}
        projects={projects}
        project={project}
        typed={refusal?.typed ?? null}
        error={refusal}
      />
    </div>
  );
}

export function meta() {
  return [{ title: "Tokens · Culprit" }];
}

/** A token is shown once on this page, so the browser must not cache it. */
export function headers() {
  return { "cache-control": "no-store" };
}

export const handle = { section: "settings", prefetch: "static" };
