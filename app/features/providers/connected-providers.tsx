import { useEffect, useRef } from "react";
import { Form } from "react-router";
import type { ConnectedProvider, Provider } from "../../domain/people/provider.ts";
import { Button, LinkButton } from "../../ui/button.tsx";
import { ButtonForm } from "../../ui/button-form.tsx";
import { Panel } from "../../ui/card.tsx";
import { TextField } from "../../ui/field.tsx";
import { RelativeTime } from "../../ui/relative-time.tsx";
import { toConnectField } from "./connect-field.ts";

/** The providers that the viewer signs in with, and those that they can connect. Empty without either. */
export function ConnectedProviders({
  connected,
  connectable,
  hasPassword,
  confirmed,
  error,
}: {
  connected: readonly ConnectedProvider[];
  connectable: ReadonlyArray<Pick<Provider, "id" | "name">>;
  /** Whether connecting a provider asks for their password. */
  hasPassword: boolean;
  /** The provider for which they just confirmed their password. Null: none. */
  confirmed: number | null;
  /** `field`: see `toConnectField`. */
  error: { field: string; message: string } | null;
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
            {hasPassword && confirmed !== id ? (
              <ConfirmConnect
                provider={{ id, name }}
                error={error?.field === toConnectField(id) ? error.message : undefined}
              />
            ) : (
              <ConnectLink provider={{ id, name }} isConfirmed={confirmed === id} />
            )}
          </li>
        ))}
      </ul>
    </Panel>
  );
}

type Connectable = Pick<Provider, "id" | "name">;

function ConfirmConnect({ provider: { id, name }, error }: { provider: Connectable; error: string | undefined }) {
  return (
    <Form method="post" className="grid w-full max-w-form gap-4 pb-1.5">
      <input type="hidden" name="provider" value={id} />
      <TextField
        label="Confirm with your password"
        name="confirm"
        type="password"
        autoComplete="current-password"
        required
        error={error}
      />
      <div>
        <Button type="submit" name="intent" value="connect" aria-label={`Connect ${name}`}>
          Connect
        </Button>
      </div>
    </Form>
  );
}

/** Leads to the provider. It gets the focus when the password is confirmed, because it replaces the form. */
function ConnectLink({ provider: { id, name }, isConfirmed }: { provider: Connectable; isConfirmed: boolean }) {
  const link = useRef<HTMLAnchorElement>(null);
  useEffect(() => {
    if (isConfirmed) link.current?.focus();
  }, [isConfirmed]);
  return (
    <LinkButton
      ref={link}
      to={`/sign-in/with/${id}?mode=connect`}
      reloadDocument
      prefetch="none"
      size={isConfirmed ? "md" : "sm"}
      aria-label={isConfirmed ? undefined : `Connect ${name}`}
    >
      {isConfirmed ? `Go on to ${name}` : "Connect"}
    </LinkButton>
  );
}
