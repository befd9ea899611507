import { Form } from "react-router";
import { SHARE_CHOICES } from "../../domain/issues/shared-issue.ts";
import { AbsoluteTime } from "../../ui/absolute-time.tsx";
import { Button } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Select } from "../../ui/field.tsx";
import { Notice } from "../../ui/notice.tsx";
import { toOptions } from "../../ui/options.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { SecretNotice } from "../../ui/secret-notice.tsx";
import { TextLink } from "../../ui/text-link.tsx";
import { useMay } from "../frame/use-may.tsx";
import type { IssueSharing, SharingResult } from "./share-issue.server.ts";

/** The public links of an issue: makes, lists and ends them. */
export function SharePanel({
  sharing: { isAllowed, shares },
  result,
  link,
}: {
  sharing: IssueSharing;
  result: SharingResult | null;
  /** The address of the link that was just made. Null: none was. */
  link: string | null;
}) {
  const mayShare = useMay("event:write");
  const maySwitch = useMay("org:admin");
  return (
    <div className="grid max-w-[48rem] grid-cols-[minmax(0,1fr)] gap-4">
      {link !== null && (
        <SecretNotice title="The link is made" label="Link" secret={link}>
          <p className="text-sm">It is shown this once. Everybody who has it sees the page.</p>
        </SecretNotice>
      )}
      {result && link === null && (
        <Notice
          tone={result.ok ? "done" : "error"}
          title={result.message}
          actions={
            result.ok &&
            result.ended !== null && (
              <ButtonForm
                fields={{ share: result.ended }}
                name="intent"
                value="restore-share"
                size="sm"
                data-shortcut="u"
              >
                Undo
              </ButtonForm>
            )
          }
        />
      )}
      <Panel
        title="Share with people without an account"
        description="They see the title, the type and the in-app frames of the latest event. They see no variables, source, users, addresses, request data, breadcrumbs, tags or comments."
      >
        {!isAllowed ? (
          <p className="text-sm">
            The organization does not allow such links.{" "}
            {maySwitch && <TextLink to="/settings/sign-in#share-links">Change that</TextLink>}
          </p>
        ) : !mayShare ? (
          <p className="text-sm">Your role may not share issues.</p>
        ) : (
          <Form method="post" className="flex flex-wrap items-end gap-3">
            <div className="grid gap-1 text-sm">
              <label htmlFor="share-for">The link works for</label>
              <Select id="share-for" name="for" defaultValue="7d" className="w-auto!">
                {toOptions(SHARE_CHOICES, ({ name, label }) => [name, label])}
              </Select>
            </div>
            <Button type="submit" variant="primary" name="intent" value="share">
              Make a link
            </Button>
          </Form>
        )}
      </Panel>
      <Panel title="Links that work" isFlush>
        {shares.length === 0 ? (
          <EmptyState title="No link">Nobody without an account sees this issue.</EmptyState>
        ) : (
          <ul className="divide-y divide-line">
            {shares.map(({ id, by, createdAt, expiresAt }) => (
              <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-4 py-2.5 text-sm">
                <span className="mr-auto">
                  By <bdi>{by ?? "a token"}</bdi>, <RelativeTime at={createdAt} />. Works until{" "}
                  <AbsoluteTime at={expiresAt} />.
                </span>
                {mayShare && (
                  <ButtonForm name="intent" value="end-share" fields={{ share: id }} size="sm">
                    End
                  </ButtonForm>
                )}
              </li>
            ))}
          </ul>
        )}
      </Panel>
    </div>
  );
}
