/** The part of Trusted Types that `lib.dom` does not have yet. */
interface TrustedTypes {
  createPolicy(name: 'default', rules: { createHTML: (html: string) => string | null }): unknown;
}

/**
 * The content security policy forbids texts as HTML. React Aria empties an element by `innerHTML = ''` (its announcer, at
 * each change of a number field): the empty text is let through, and nothing else.
 */
export function allowEmptyHtml(): void {
  const { trustedTypes } = window as { trustedTypes?: TrustedTypes };
  trustedTypes?.createPolicy('default', { createHTML: (html) => (html === '' ? '' : null) });
}
