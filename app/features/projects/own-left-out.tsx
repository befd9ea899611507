import { TextLink } from "../../ui/text-link.tsx";

/** Says where to find `what` of the server itself: on the page `to`, in the project with this `slug`. */
export function OwnLeftOut({ what, slug, to }: { what: string; slug: string; to: string }) {
  return (
    <>
      {what} of Culprit itself are left out. <TextLink to={to}>Show those of {slug}</TextLink>
    </>
  );
}
