import { Form } from "react-router";
import { Button, LinkButton } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { CalmPicture, EmptyNetPicture, WaitingPicture } from "./issue-list-pictures.tsx";

const PICTURES = { calm: CalmPicture, net: EmptyNetPicture, waiting: WaitingPicture };

/** Why the list is empty, and what to do about it, in the server's words (`say-empty-list.server.ts`). */
export interface EmptyList {
  picture: keyof typeof PICTURES;
  title: string;
  text: ReadonlyArray<string | { code: string }>;
  isOfEvents?: boolean;
  actions: ReadonlyArray<{ label: string; to: string; isPrimary?: boolean }>;
  /** The address for the form that asks for a sample event. */
  sendSampleTo?: string | null;
}

export function IssueListEmpty({ picture, title, text, isOfEvents, actions, sendSampleTo }: EmptyList) {
  const Picture = PICTURES[picture];
  return (
    <EmptyState
      picture={<Picture />}
      title={title}
      isOfEvents={isOfEvents ?? false}
      actions={
        (actions.length > 0 || sendSampleTo) && (
          <>
            {actions.map(({ label, to, isPrimary }) => (
              <LinkButton key={to} to={to} variant={isPrimary ? "primary" : "secondary"}>
                {label}
              </LinkButton>
            ))}
            {sendSampleTo && (
              <Form method="post" action={sendSampleTo}>
                <Button type="submit" name="intent" value="send-sample">
                  Send a sample event
                </Button>
              </Form>
            )}
          </>
        )
      }
    >
      {text.map((part) =>
        typeof part === "string" ? (
          part
        ) : (
          <code key={part.code} className="text-ink">
            {part.code}
          </code>
        ),
      )}
    </EmptyState>
  );
}
