import { Pencil } from "lucide-react";
import { Form } from "react-router";
import { MAX_DECISION_NAME_CHARS } from "../../domain/grouping-rules/rule-limits.ts";
import { Button } from "../../ui/button.tsx";
import { Input } from "../../ui/field.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";

/** A sentence like `518 events since, the last 3 min ago.` */
export function DecidedEvents({ count, lastAt }: { count: number; lastAt: number | null }) {
  if (count === 0 || lastAt === null) return <>No event since.</>;
  return (
    <>
      {count === 1 ? "1 event" : `${count.toLocaleString("en")} events`} since, the last <RelativeTime at={lastAt} />.
    </>
  );
}

/** The name of a merge or split, with a field to change it. It works without JavaScript. */
export function DecisionName({
  action,
  intent,
  id,
  name,
  mayRename,
}: {
  /** The address of the project's page Grouping. Null: the name cannot be changed. */
  action: string | null;
  intent: "rename-merge" | "rename-split";
  id: number;
  name: string;
  mayRename: boolean;
}) {
  if (!mayRename || action === null) return <span className="wrap-anywhere font-semibold">{name}</span>;
  return (
    <details className="group">
      <summary className="flex w-fit cursor-pointer list-none items-center gap-1.5 rounded-md">
        <span className="wrap-anywhere font-semibold">{name}</span>
        <Pencil aria-hidden="true" className="size-3.5 shrink-0 text-muted" />
        <span className="sr-only">Rename</span>
      </summary>
      <Form method="post" action={action} className="flex flex-wrap items-center gap-2 py-1.5">
        <input type="hidden" name="id" value={id} />
        <Input
          name="name"
          aria-label={`New name of ${name}`}
          controlSize="sm"
          defaultValue={name}
          maxLength={MAX_DECISION_NAME_CHARS}
          required
          className="max-w-80"
        />
        <Button type="submit" name="intent" value={intent} size="sm">
          Rename
        </Button>
      </Form>
    </details>
  );
}
