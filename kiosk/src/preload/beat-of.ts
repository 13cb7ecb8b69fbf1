/** What the shell wants to know of the page, as its schema has it. */
export function beatOf(page: Pick<Document, 'querySelector'>): { shows: boolean; idle: boolean } {
  return {
    shows: page.querySelector('main') !== null,
    // Written there by the page's `app.tsx`.
    idle: page.querySelector('[data-screen="start"]') !== null,
  };
}
