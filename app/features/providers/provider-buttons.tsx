import type { Provider } from "../../domain/people/provider.ts";
import { LinkButton } from "../../ui/button.tsx";

/** Links to sign in with providers. They leave this site, so the browser loads them as documents. */
export function ProviderButtons({
  providers,
  isRequired,
  search,
}: {
  providers: ReadonlyArray<Pick<Provider, "id" | "name">>;
  /** Whether only owners may use the password below. */
  isRequired: boolean;
  /** Where to go afterwards, as the search of an address; empty: the default. */
  search: string;
}) {
  if (providers.length === 0) return null;
  return (
    <div className="mb-5 grid gap-3">
      {providers.map(({ id, name }) => (
        <LinkButton key={id} to={`/sign-in/with/${id}${search}`} reloadDocument prefetch="none" size="lg">
          {`Sign in with ${name}`}
        </LinkButton>
      ))}
      <p className="flex items-center gap-3 pt-2 text-muted text-xs before:h-px before:flex-1 before:bg-line after:h-px after:flex-1 after:bg-line">
        {isRequired ? "or, as an owner, with a password" : "or with a password"}
      </p>
    </div>
  );
}
