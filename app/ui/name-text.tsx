import { Fragment } from "react";

/** Between the parts of `runtime.boundsError`, `std::io::Error` and `app/pay.js`. */
const PARTS = /(?<=\w(?:[./]|::))(?=\w)/;

/** A name that code gave, like a type or a function: a line that is too short for it ends between its parts, not within one. */
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
