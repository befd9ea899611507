import { Badge } from "../../ui/badge.tsx";
import { LinkButton } from "../../ui/button.tsx";
import { Panel } from "../../ui/card.tsx";
import { Notice } from "../../ui/notice.tsx";
import { ROLE_WORDS } from "../people/access-words.ts";
import type { TestSignIn } from "./finish-provider-sign-in.server.ts";

/** The result of a test sign-in: what it received, and what it would give. */
export function TestSignInPage({ test }: { test: TestSignIn & { teams: readonly string[] } }) {
  const { providerId, provider, claims, email, isEmailVerified, rules, gives, teams } = test;
  return (
    <main id="main" className="mx-auto grid w-full max-w-[56rem] gap-4 px-4 py-8">
      <div className="flex flex-wrap items-center gap-3">
        <h1 className="mr-auto text-2xl">Test sign-in with {provider}</h1>
        <LinkButton to={`/settings/sign-in/${providerId}`}>Back to the settings</LinkButton>
      </div>
      {gives ? (
        <Notice tone="done" title={`A sign-in would give the role ${ROLE_WORDS[gives.role].label}`}>
          <p>{teams.length > 0 ? `Teams: ${teams.join(", ")}.` : "No team."} Nothing was changed by this test.</p>
        </Notice>
      ) : (
        <Notice tone="warning" title="A sign-in would give no access">
          <p>
            {rules.length === 0 ? "There is no rule yet." : "No rule matches these claims."} Nothing was changed by this
            test.
          </p>
        </Notice>
      )}
      {email === null ? (
        <Notice tone="warning" title="The provider gave no e-mail address: nobody new can sign in." />
      ) : (
        !isEmailVerified && (
          <Notice title="The provider does not say that the address is verified">
            <p>People who have an account here connect it themselves, on Settings → Your sign-in.</p>
          </Notice>
        )
      )}
      {rules.length > 0 && (
        <Panel title="Rules" isFlush>
          <ul className="divide-y divide-line">
            {rules.map(({ claim, value, role, isMatching }) => (
              <li key={`${claim} ${value} ${role}`} className="flex flex-wrap items-center gap-3 px-4 py-2.5 text-sm">
                <code className="wrap-anywhere mr-auto">
                  {claim} = {value}
                </code>
                <span>{ROLE_WORDS[role].label}</span>
                <Badge>{isMatching ? "Matches" : "Does not match"}</Badge>
              </li>
            ))}
          </ul>
        </Panel>
      )}
      <Panel title="Claims that were received" description="Rules name them by these names; a path has dots between.">
        <pre className="wrap-anywhere overflow-x-auto whitespace-pre-wrap font-mono text-xs">{claims}</pre>
      </Panel>
    </main>
  );
}
