import { data } from "react-router";
import {
  clientAddressContext,
  entranceContext,
  proxyIdentityContext,
  viewerContext,
  workspaceContext,
} from "../../context.ts";
import { answerBusy } from "../../features/auth/answer-busy.server.ts";
import { toSecretLinkHeaders } from "../../features/auth/secret-link-headers.ts";
import { finishProviderSignIn } from "../../features/providers/finish-provider-sign-in.server.ts";
import { ProviderAnswerPage } from "../../features/providers/provider-answer-page.tsx";
import { TestSignInPage } from "../../features/providers/test-sign-in-page.tsx";
import type { Route } from "./+types/provider-callback.ts";

export async function loader({ context, request, params, url }: Route.LoaderArgs) {
  const entrance = context.get(entranceContext);
  const clientAddress = context.get(clientAddressContext);
  const result = await finishProviderSignIn(entrance, {
    providerId: Number(params.provider),
    viewer: context.get(viewerContext),
    request,
    url,
    clientAddress,
    proxyIdentity: context.get(proxyIdentityContext),
    isSecure: url.protocol === "https:",
    now: Date.now(),
  });
  switch (result.kind) {
    case "response":
      throw result.response;
    case "tested": {
      const { state, scope } = context.get(workspaceContext);
      const teams = await state.members.listTeams(scope);
      const given = result.test.gives?.teamIds ?? [];
      const names = teams.filter(({ id }) => given.includes(id)).map(({ name }) => name);
      return { test: { ...result.test, teams: names }, failed: null };
    }
    case "refused": {
      const { status, mode, message, retryAfter } = result;
      // If the person is not let in, it is a failed sign-in. An answer that came too late is not.
      if (mode === "sign-in" && status === 403)
        entrance.audit.failedSignIns.count({ account: null, address: clientAddress });
      const failed = { mode, providerId: Number(params.provider), message };
      if (retryAfter === null) return data({ test: null, failed }, { status });
      const wait = { reason: "too-many-attempts", retryAfterSeconds: retryAfter } as const;
      const busy = await answerBusy(context, wait, { signal: request.signal });
      return data({ test: null, failed: { ...failed, message: busy.message } }, busy.init);
    }
  }
}

export default function ProviderCallbackPage({ loaderData: { test, failed } }: Route.ComponentProps) {
  return test ? <TestSignInPage test={test} /> : <ProviderAnswerPage {...failed} />;
}

/** The page shows claims, and its address has a code: it goes into no cache, and is not sent to other sites. */
export const headers: Route.HeadersFunction = toSecretLinkHeaders;

export function meta() {
  return [{ title: "Sign in · Culprit" }];
}
