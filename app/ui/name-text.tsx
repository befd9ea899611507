import { Fragment } from "react";

/** The places between the parts of `runtime.boundsError`, `std::io::Error` and `app/pay.js`. */
const PARTS = /(?<=\w(?:[./]|::))(?=\w)/;

/** A name from code, like a type or a function. If it does not fit on a line, it breaks between its parts and not within one. */
export function NameText({ text }: { text: string }) {
  const [first, ...others] = text.split(PARTS);
  return (
    <bdi>
      {first}
      {others.map((part, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the parts of one text do not move
        <Fragment key={index}>
          <wbr />
          {part}
        </Fragment>
      ))}
    </bdi>
  );
}
