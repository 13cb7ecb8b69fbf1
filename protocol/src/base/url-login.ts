/** The user and password of an address: what stands between `://` and `@`. */
const LOGIN = /(:\/\/)[^\s/?#"<>\\]*@/g;
/** The same with a password that has a `/`, `?` or `#` in it, as people write it: what follows the colon is no port. */
const LOGIN_AS_TYPED = /(:\/\/)[^\s/?#"<>\\:]*:(?!\d{1,5}(?:[/?#]|$))[^\s"<>\\]{0,200}@/g;

/**
 * The text without user and password of the addresses in it. For every text that a program prints, logs or shows of its
 * configuration, its devices and its errors.
 */
export function hideUrlLogins(text: string): string {
  return text.includes('@') ? text.replace(LOGIN, '$1').replace(LOGIN_AS_TYPED, '$1') : text;
}
