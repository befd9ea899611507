import { ArrowDown, ArrowUp } from "lucide-react";
import type { ReactNode } from "react";
import { Form } from "react-router";
import { MAX_VIEW_NAME, type SavedView, toViewPath } from "../../domain/saved-view.ts";
import { Button, buttonClassNames } from "../../ui/button.tsx";
import { Field, Input } from "../../ui/field.tsx";
import { Popover } from "../../ui/popover.tsx";
import { TextLink } from "../../ui/text-link.tsx";

/** A view, with its reader's actions. */
export function ViewRow({ view, isFirst, isLast }: { view: SavedView; isFirst: boolean; isLast: boolean }) {
  const search = new URLSearchParams(view.query).toString();
  return (
    <li className="view-row">
      <div>
        <p className="flex flex-wrap items-center gap-x-2">
          {view.isDefault && <span aria-hidden="true">★</span>}
          <TextLink to={toViewPath(view)}>{view.name}</TextLink>
          <span className="text-muted text-xs">{sayWhose(view)}</span>
        </p>
        <p className="break-all font-mono text-muted text-xs">
          {search === "" ? "everything as usual" : decodeURIComponent(search.replaceAll("+", " "))}
        </p>
      </div>
      <div className="view-actions">
        {view.isDefault ? (
          <Act view={view} intent="no-default" label="No default" />
        ) : (
          <Act view={view} intent="default" label="Make default" />
        )}
        {view.isOwn && (
          <>
            <Act
              view={view}
              intent={view.isShared ? "unshare" : "share"}
              label={view.isShared ? "Stop sharing" : "Share"}
            />
            <Popover
              label={`Rename ${view.name}`}
              trigger={
                <>
                  Rename <span className="sr-only">{view.name}</span>
                </>
              }
              triggerClassName={buttonClassNames("secondary", "sm")}
              align="end"
            >
              <Form method="post" className="grid w-64 gap-3">
                <input type="hidden" name="view" value={view.id} />
                <Field label="Name">
                  {(ids) => (
                    <Input
                      {...ids}
                      name="name"
                      required
                      maxLength={MAX_VIEW_NAME}
                      defaultValue={view.name}
                      autoComplete="off"
                    />
                  )}
                </Field>
                <Button type="submit" name="intent" value="rename" variant="primary">
                  Rename
                </Button>
              </Form>
            </Popover>
            {!isFirst && (
              <Act view={view} intent="up" label={`Move ${view.name} up`}>
                <ArrowUp aria-hidden="true" className="size-4" />
              </Act>
            )}
            {!isLast && (
              <Act view={view} intent="down" label={`Move ${view.name} down`}>
                <ArrowDown aria-hidden="true" className="size-4" />
              </Act>
            )}
            <Act view={view} intent="delete" label="Delete" />
          </>
        )}
      </div>
    </li>
  );
}

function sayWhose({ isOwn, isShared, isDefault, ownerName }: SavedView): string {
  const whose = isOwn ? (isShared ? "shared" : "private") : `shared by ${ownerName}`;
  return isDefault ? `your default, ${whose}` : whose;
}

function Act({
  view,
  intent,
  label,
  children,
}: {
  view: SavedView;
  intent: string;
  label: string;
  /** Shown in place of the label, which then names the button. */
  children?: ReactNode;
}) {
  return (
    <Form method="post" preventScrollReset>
      <input type="hidden" name="view" value={view.id} />
      <Button
        type="submit"
        name="intent"
        value={intent}
        size="sm"
        aria-label={children ? label : `${label}: ${view.name}`}
      >
        {children ?? label}
      </Button>
    </Form>
  );
}
