import { ChevronDown, GitCommitHorizontal, PackageCheck, Rocket } from "lucide-react";
import { type ComponentType, type ReactNode, useId } from "react";
import type { FormProps } from "react-router";
import { Button, buttonClassNames } from "../../ui/button.tsx";
import { toOptions } from "../../ui/options.tsx";
import { Popover } from "../../ui/popover.tsx";
import { CommitFields } from "./commit-fields.tsx";
import { toShortName } from "./resolution-words.ts";

/** The releases and commits that an issue can be resolved in. */
export interface ResolveChoices {
  latestRelease: string | null;
  /** The repositories of those commits. Empty: none is known. */
  repositories: string[];
  /** Commits to choose from: those of the latest release that has commits, newest first. */
  commits: Array<{ id: string; message: string }>;
}

/** The menu beside “Resolve”: the release or commit in which the issue is fixed. */
export function ResolveOptions({
  action,
  choices: { latestRelease, repositories, commits },
  form: Form,
}: {
  /** The address that the forms are posted to. */
  action: string;
  choices: ResolveChoices;
  /** The form of the fetcher whose answer the page shows. */
  form: ComponentType<FormProps>;
}) {
  const listId = useId();
  return (
    <>
      {/* What the keyboard shortcut presses while the panel is closed. */}
      <Form hidden method="post" action={action}>
        <input type="hidden" name="status" value="resolved" />
        <button type="submit" name="in" value="next-release" data-shortcut="Shift+e">
          Fixed in the next release
        </button>
      </Form>
      <Popover
        label="Fixed in a release or commit"
        shortcut="f"
        triggerClassName={`${buttonClassNames("secondary")} px-2!`}
        trigger={
          <>
            <ChevronDown aria-hidden="true" />
            <span className="sr-only">Fixed in a release or commit</span>
          </>
        }
      >
        <div className="grid w-72 max-w-full gap-3 text-sm">
          <Form method="post" action={action} className="grid gap-1">
            <input type="hidden" name="status" value="resolved" />
            <Choice value="next-release" icon={<Rocket aria-hidden="true" />} name="Fixed in the next release">
              {latestRelease === null ? (
                "There is none yet"
              ) : (
                <>
                  After <span className="font-mono">{toShortName(latestRelease)}</span>
                </>
              )}
            </Choice>
            {latestRelease !== null && (
              <Choice
                value="latest-release"
                icon={<PackageCheck aria-hidden="true" />}
                name="Fixed in the current release"
              >
                <span className="font-mono">{toShortName(latestRelease)}</span>
              </Choice>
            )}
          </Form>
          <Form method="post" action={action} className="grid gap-2 border-line border-t pt-3">
            <input type="hidden" name="status" value="resolved" />
            <CommitFields repositories={repositories} listId={commits.length > 0 ? listId : undefined} />
            {commits.length > 0 && (
              <datalist id={listId}>
                {toOptions(commits, ({ id, message }) => [id, message.split("\n", 1)[0]?.slice(0, 80)])}
              </datalist>
            )}
            <div>
              <Button
                type="submit"
                name="in"
                value="commit"
                size="sm"
                icon={<GitCommitHorizontal aria-hidden="true" />}
              >
                Fixed by this commit
              </Button>
            </div>
          </Form>
        </div>
      </Popover>
    </>
  );
}

function Choice({
  value,
  icon,
  name,
  children,
}: {
  value: string;
  icon: ReactNode;
  name: string;
  children: ReactNode;
}) {
  return (
    <button type="submit" name="in" value={value} className="menu-item">
      {icon}
      <span className="grid min-w-0 text-left">
        {name}
        <span className="truncate text-muted text-xs">{children}</span>
      </span>
    </button>
  );
}
