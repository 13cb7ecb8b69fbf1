/** The page's state for the shell, in the form of the shell's schema. */
export function beatOf(page: Pick<Document, 'querySelector'>): { shows: boolean; idle: boolean } {
  return {
    shows: page.querySelector('main') !== null,
    // Written there by the page's `app.tsx`.
    idle: page.querySelector('[data-screen="start"]') !== null,
  };
}
