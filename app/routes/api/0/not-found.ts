import { refusal } from "../../../features/web-api/answers.server.ts";

export function loader() {
  return refusal(404, "The requested resource does not exist");
}

export const action = loader;
