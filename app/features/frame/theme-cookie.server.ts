import { type Theme, toTheme } from "./theme.ts";

const NAME = "culprit_theme";
const YEAR_SECONDS = 365 * 24 * 60 * 60;

/** Reads the theme from its cookie. The cookie is plain text, because it is not secret and nobody else reads it. */
export function readTheme(request: Request): Theme {
  const cookies = request.headers.get("cookie") ?? "";
  const pair = cookies.split(";").find((part) => part.trimStart().startsWith(`${NAME}=`));
  return toTheme(pair?.split("=")[1]?.trim());
}

/** The `Set-Cookie` header that keeps the choice for a year. For `system` it removes the cookie. */
export function serializeTheme(theme: Theme): string {
  const maxAge = theme === "system" ? 0 : YEAR_SECONDS;
  return `${NAME}=${theme}; Path=/; Max-Age=${maxAge}; SameSite=Lax`;
}
