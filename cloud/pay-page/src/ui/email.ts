/** Enough to notice a slip of the finger; the mail server decides. */
const EMAIL = /^[^\s@]+@[^\s@]+\.[^\s@]{2,}$/;

export function isEmail(typed: string): boolean {
  return EMAIL.test(typed.trim());
}
