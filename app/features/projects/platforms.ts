/** A platform that a project can have. Its snippets are in `platform-snippets.ts`, which few pages need. */
export interface Platform {
  /** The `platform` value of Sentry's projects, like `python-django`. */
  id: string;
  label: string;
  /** The family, which decides the mark. Several platforms share one. */
  family: "javascript" | "node" | "python" | "go" | "rust" | "java" | "php" | "ruby" | "dotnet" | "other";
}

export const PLATFORMS = [
  { id: "javascript", label: "Browser JavaScript", family: "javascript" },
  { id: "javascript-script", label: "Script tag", family: "javascript" },
  { id: "javascript-react", label: "React", family: "javascript" },
  { id: "javascript-react-router", label: "React Router", family: "javascript" },
  { id: "javascript-nextjs", label: "Next.js", family: "javascript" },
  { id: "javascript-vue", label: "Vue", family: "javascript" },
  { id: "javascript-angular", label: "Angular", family: "javascript" },
  { id: "javascript-nuxt", label: "Nuxt", family: "javascript" },
  { id: "javascript-svelte", label: "Svelte", family: "javascript" },
  { id: "javascript-sveltekit", label: "SvelteKit", family: "javascript" },
  { id: "javascript-astro", label: "Astro", family: "javascript" },
  { id: "react-native", label: "React Native", family: "javascript" },
  { id: "node", label: "Node.js", family: "node" },
  { id: "node-express", label: "Express", family: "node" },
  { id: "node-nestjs", label: "NestJS", family: "node" },
  { id: "node-hono", label: "Hono", family: "node" },
  { id: "bun", label: "Bun", family: "node" },
  { id: "deno", label: "Deno", family: "node" },
  { id: "node-cloudflare-workers", label: "Cloudflare Workers", family: "node" },
  { id: "node-awslambda", label: "AWS Lambda", family: "node" },
  { id: "node-gcpfunctions", label: "Google Cloud Functions", family: "node" },
  { id: "python", label: "Python", family: "python" },
  { id: "python-django", label: "Django", family: "python" },
  { id: "python-fastapi", label: "FastAPI", family: "python" },
  { id: "python-flask", label: "Flask", family: "python" },
  { id: "python-awslambda", label: "AWS Lambda, Python", family: "python" },
  { id: "go", label: "Go", family: "go" },
  { id: "go-http", label: "Go net/http", family: "go" },
  { id: "rust", label: "Rust", family: "rust" },
  { id: "java", label: "Java", family: "java" },
  { id: "java-spring-boot", label: "Spring Boot", family: "java" },
  { id: "java-logback", label: "Logback", family: "java" },
  { id: "php", label: "PHP", family: "php" },
  { id: "php-laravel", label: "Laravel", family: "php" },
  { id: "ruby", label: "Ruby", family: "ruby" },
  { id: "ruby-rails", label: "Rails", family: "ruby" },
  { id: "dotnet", label: ".NET", family: "dotnet" },
  { id: "dotnet-aspnetcore", label: "ASP.NET Core", family: "dotnet" },
  { id: "native", label: "C and C++", family: "other" },
  { id: "android", label: "Android", family: "java" },
  { id: "apple", label: "iOS and macOS", family: "other" },
  { id: "electron", label: "Electron", family: "other" },
  { id: "flutter", label: "Flutter", family: "other" },
  { id: "opentelemetry", label: "OpenTelemetry", family: "other" },
  { id: "other", label: "Something else", family: "other" },
] as const satisfies readonly Platform[];

export type PlatformId = (typeof PLATFORMS)[number]["id"];

/** The platform with this id. `go-gin` becomes `go`, and an unknown id becomes `other`. */
export function toPlatform(id: string): (typeof PLATFORMS)[number] {
  return findPlatform(id) ?? findPlatform(id.split("-", 1)[0]) ?? OTHER;
}

function findPlatform(id: string | undefined) {
  return PLATFORMS.find((platform) => platform.id === id);
}

const OTHER = PLATFORMS[PLATFORMS.length - 1] as (typeof PLATFORMS)[number];
