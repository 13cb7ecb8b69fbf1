/**
 * A spreadsheet takes a cell that begins so for a formula. Full-width signs too: some turn them into the plain ones.
 */
const FORMULA = /^'*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/;

/** A text that no spreadsheet runs, by an apostrophe before it; `plainCell` takes it off again. */
export function safeCell(text: string): string {
  return FORMULA.test(text) ? `'${text}` : text;
}

/** What `safeCell` was given. */
export function plainCell(cell: string): string {
  return cell.startsWith("'") && FORMULA.test(cell) ? cell.slice(1) : cell;
}
