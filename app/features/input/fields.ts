import { z } from "zod";
import { toOneLine } from "../../domain/one-line.ts";

/** A schema for one line of text that is not empty, without blanks around it. `missing`: the message if there is none. */
export const text = (maxLength: number, missing?: string) =>
  z
    .string({ error: ({ input }) => (input === undefined ? missing : undefined) })
    .overwrite(toOneLine)
    .min(1, missing ?? "must not be empty")
    .max(maxLength);
