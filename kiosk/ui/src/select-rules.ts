/** How select lists behave, by the specification (section 9). */
const ROW_HEIGHT = 48;
const DENSE_ROW_HEIGHT = 24;
export const SCROLL_THROTTLE_MS = 35;
export const SCROLL_THROTTLE_IOS_MS = 120;
export const TYPE_AHEAD_MS = 1500;
export const SEARCH_DEBOUNCE_MS = 500;

const MAX_LIST_HEIGHT = 7 * ROW_HEIGHT;
/** The height of the screen that a list cannot use, in pixels: its field and what stands above it. */
const TAKEN_HEIGHT = 220;

/** The height of a row, in pixels. */
export function rowHeightOf({ dense = false }: { dense?: boolean | undefined }): number {
  return dense ? DENSE_ROW_HEIGHT : ROW_HEIGHT;
}

/** Rows that a list shows at once, on a screen of this height. */
export function rowsInViewOf(rowHeight: number, screenHeight: number): number {
  return Math.max(1, Math.floor(Math.min(MAX_LIST_HEIGHT, screenHeight - TAKEN_HEIGHT) / rowHeight));
}

/**
 * The index to which an arrow key moves in a list; null: it is another key. While a person types, Home and
 * End move in the field.
 */
export function indexAfterKey(
  key: string,
  list: { current: number; count: number; rowsInView: number; isTyping: boolean },
): number | null {
  const { current, count, rowsInView, isTyping } = list;
  const steps: Record<string, number> = {
    ArrowDown: 1,
    ArrowUp: -1,
    PageDown: rowsInView,
    PageUp: -rowsInView,
    ...(isTyping ? {} : { Home: -count, End: count }),
  };
  const step = steps[key];
  return step === undefined ? null : Math.max(0, Math.min(count - 1, current + step));
}

/** Rows that are drawn: those in view, and as many again before and after them. */
export function rowsToDraw(view: { scrollTop: number; height: number; rowHeight: number; count: number }): {
  first: number;
  /** The row after the last one. */
  end: number;
} {
  const { scrollTop, height, rowHeight, count } = view;
  const inView = Math.ceil(height / rowHeight);
  const top = Math.min(Math.max(0, Math.floor(scrollTop / rowHeight)), Math.max(0, count - inView));
  return { first: Math.max(0, top - inView), end: Math.min(count, top + 2 * inView + 1) };
}

/** The chosen values after an option was touched; more than `maxValues` are not accepted. */
export function toggled(values: readonly string[], value: string, maxValues: number): readonly string[] {
  if (maxValues === 1) return [value];
  if (values.includes(value)) return values.filter((each) => each !== value);
  return values.length >= maxValues ? values : [...values, value];
}

/** The text typed to find an option, until a pause. */
export interface TypeAhead {
  text: string;
  at: number;
}

/** The type-ahead after another key at that time (ms); a space only continues a text. */
export function typedAhead(before: TypeAhead, key: string, at: number): TypeAhead {
  const text = at - before.at < TYPE_AHEAD_MS ? before.text : '';
  if (key === ' ' && text === '') return { text: '', at };
  // The same character again and again goes from one match to the next.
  const again = text.length > 0 && [...text].every((each) => each === key.toLowerCase());
  return { text: again ? text : text + key.toLowerCase(), at };
}

/**
 * The option that was meant: its characters come in this order, the first one first. Looked for from `current` on, and
 * from the beginning again; a single character means the next one. -1: none.
 */
export function matchAhead(options: readonly string[], text: string, current: number): number {
  if (text === '' || options.length === 0) return -1;
  const from = text.length === 1 ? current + 1 : Math.max(0, current);
  for (let step = 0; step < options.length; step++) {
    const at = (from + step) % options.length;
    if (isMeant(options[at]?.toLowerCase() ?? '', text)) return at;
  }
  return -1;
}

function isMeant(option: string, text: string): boolean {
  if (!option.startsWith(text.charAt(0))) return false;
  let place = 0;
  for (const character of text) {
    place = option.indexOf(character, place);
    if (place < 0) return false;
    place++;
  }
  return true;
}
