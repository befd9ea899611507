export type PushResult =
  | { ok: true; done: string; isBad?: boolean }
  | { ok: false; status: 400 | 404 | 409; field: "push" | "mail-timezone"; message: string };

export function refusePush(status: 400 | 404 | 409, message: string): PushResult {
  return { ok: false, status, field: "push", message };
}
