import type { ConnectedProvider, Provider } from "../../domain/people/provider.ts";
import { LinkButton } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";

/** Providers that the viewer signs in with, and those that they can connect. Nothing where there are neither. */
export function ConnectedProviders({
  connected,
  connectable,
}: {
  connected: readonly ConnectedProvider[];
  connectable: ReadonlyArray<Pick<Provider, "id" | "name">>;
}) {
  if (connected.length + connectable.length === 0) return null;
  return (
    <Panel title="Single sign-on" isFlush>
      <ul className="divide-y divide-line">
        {connected.map(({ providerId, name, isManaged, usedAt }) => (
          <li key={providerId} className="flex flex-wrap items-center gap-3 px-4 py-2.5 text-sm">
            <p className="mr-auto">
              {name}{" "}
              <span className="text-muted text-xs">
                {isManaged ? "made your account, " : ""}used <RelativeTime at={usedAt} />
              </span>
            </p>
            {!isManaged && (
              <ButtonForm
                fields={{ provider: providerId }}
                name="intent"
                value="disconnect"
                size="sm"
                aria-label={`Disconnect ${name}`}
              >
                Disconnect
              </ButtonForm>
            )}
          </li>
        ))}
        {connectable.map(({ id, name }) => (
          <li key={id} className="flex flex-wrap items-center gap-3 px-4 py-2.5 text-sm">
            <p className="mr-auto">{name}</p>
            <LinkButton
              to={`/sign-in/with/${id}?mode=connect`}
              reloadDocument
              prefetch="none"
              size="sm"
              aria-label={`Connect ${name}`}
            >
              Connect
            </LinkButton>
          </li>
        ))}
      </ul>
    </Panel>
  );
}
