export function toEmailKey(email: string): string {
  return email.trim().toLowerCase();
}
