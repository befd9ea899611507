import { TextLink } from "../../ui/text-link.tsx";

/** Says where `what` of the server itself is: on the page `to`, of the project that it reports to. */
export function OwnLeftOut({ what, slug, to }: { what: string; slug: string; to: string }) {
  return (
    <>
      {what} of Culprit itself are left out. <TextLink to={to}>Show those of {slug}</TextLink>
    </>
  );
}
