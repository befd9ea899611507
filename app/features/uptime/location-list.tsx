import { Form } from "react-router";
import type { UptimeLocation } from "../../domain/uptime/uptime-location.ts";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { CodeBlock } from "../../ui/code-block.tsx";
import { TextField } from "../../ui/field.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { SecretNotice } from "../../ui/secret-notice.tsx";

/**
 * Shows a new token, which is never shown again, and how the second process is started with it. The command uses the archive of the
 * release: npm would look up a bare name in its registry, and would run any package of that name with the token.
 */
export function MadeLocationNotice({
  made: { name, secret },
  version,
}: {
  made: { name: string; secret: string };
  version: string;
}) {
  const archive = `culprit-${version}.tgz`;
  return (
    <SecretNotice title={`The token of “${name}”. Copy it now: it is not shown again.`} label="Token" secret={secret}>
      <p className="text-sm">
        Copy the archive of this release, <code>{archive}</code>, to the other machine (<code>npm run pack</code> makes
        it), and start this beside it. It keeps no data, and needs no open port.
      </p>
      <CodeBlock
        label="Start the location"
        code={`CULPRIT_LOCATION_TOKEN=${secret} npx ./${archive} location`}
        isWrapped
      />
    </SecretNotice>
  );
}

export function LocationList({ locations }: { locations: readonly UptimeLocation[] }) {
  return (
    <Panel title="Locations" isFlush={locations.length > 0}>
      {locations.length === 0 ? (
        <p className="text-muted text-sm">There is none: this server alone checks addresses.</p>
      ) : (
        <ul>
          {locations.map((location) => (
            <li
              key={location.id}
              className="flex flex-wrap items-center gap-x-4 gap-y-2 border-line border-t px-4 py-3 first:border-t-0"
            >
              <div className="min-w-0 flex-1 basis-56">
                <p className="flex flex-wrap items-center gap-2 font-semibold text-sm">
                  <bdi className="wrap-anywhere">{location.name}</bdi>
                  <Badge tone={location.silentSince === null ? "resolved" : "neutral"}>{sayState(location)}</Badge>
                </p>
                <p className="text-muted text-xs">
                  <LocationFacts location={location} />
                </p>
              </div>
              <div className="flex flex-wrap gap-2">
                <ButtonForm fields={{ location: location.id }} name="intent" value="token">
                  New token
                </ButtonForm>
                <ButtonForm fields={{ location: location.id }} name="intent" value="delete" variant="quiet">
                  Delete
                </ButtonForm>
              </div>
            </li>
          ))}
        </ul>
      )}
    </Panel>
  );
}

function sayState({ lastSeenAt, silentSince }: UptimeLocation): string {
  if (lastSeenAt === null) return "Not started yet";
  return silentSince === null ? "Heard of" : "Not heard of";
}

function LocationFacts({ location: { tokenHint, createdAt, lastSeenAt, version } }: { location: UptimeLocation }) {
  return (
    <>
      {lastSeenAt === null ? (
        <>
          Added <RelativeTime at={createdAt} />
        </>
      ) : (
        <>
          Last seen <RelativeTime at={lastSeenAt} />
          {version !== null && `, Culprit ${version}`}
        </>
      )}
      {tokenHint === null ? " · its token is revoked" : ` · token …${tokenHint}`}
    </>
  );
}

export function LocationForm({ error }: { error: { field: string; message: string } | null }) {
  return (
    <Panel title="Add a location" description="Its token can do nothing but check addresses for this server.">
      <Form method="post" className="grid max-w-[34rem] gap-3">
        <TextField
          label="Name"
          name="name"
          required
          maxLength={60}
          placeholder="Frankfurt"
          error={error?.field === "name" ? error.message : null}
          hint="As pages and issues show it. A location gets the headers and bodies of the addresses that it checks."
        />
        <div>
          <Button type="submit" variant="primary" name="intent" value="create">
            Add
          </Button>
        </div>
      </Form>
    </Panel>
  );
}
