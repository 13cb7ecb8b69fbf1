/** Longer addresses do not exist (RFC 5321). */
export const MAX_MAIL_ADDRESS = 254;

/**
 * Mail addresses as people type them: the local part without quotes, and a domain with a dot. The mail server
 * decides in the end.
 */
export const MAIL_ADDRESS =
  /^(?!\.)(?!.*\.\.)[A-Za-z0-9_'+\-.]*[A-Za-z0-9_+-]@(?:[A-Za-z0-9][A-Za-z0-9-]*\.)+[A-Za-z]{2,}$/;

/** The rule of `MailAddressSchema`, for pages that do without schemas. Blanks around it do not count. */
export function isMailAddress(typed: string): boolean {
  const text = typed.trim();
  return text.length <= MAX_MAIL_ADDRESS && MAIL_ADDRESS.test(text);
}
