/** The fields of Electron's `Input` (of `before-input-event`) that the policy reads. */
export interface KeyInput {
  type: string;
  key: string;
  control: boolean;
  alt: boolean;
  meta: boolean;
  shift: boolean;
}

/** Keys for typing, moving the focus and choosing; all without a modifier but shift. */
const EDITING_KEYS = new Set([
  'Tab',
  'Enter',
  'Escape',
  'Backspace',
  'Delete',
  'Home',
  'End',
  'ArrowLeft',
  'ArrowRight',
  'ArrowUp',
  'ArrowDown',
  'PageUp',
  'PageDown',
  'Shift',
  'Dead',
]);

/**
 * Whether a key may reach the page. Reload, zoom, print, find, developer tools, full screen, quit and the
 * menu all need a modifier or a function key, on every platform. So only plain typing reaches the page. AltGr
 * is reported as control and alt, and types letters.
 */
export function mayType({ key, control, alt, meta }: KeyInput): boolean {
  if (meta) return false;
  const isOneCharacter = [...key].length === 1;
  if (key === 'AltGraph' || (control && alt && isOneCharacter)) return true;
  if (control || alt) return false;
  return isOneCharacter || EDITING_KEYS.has(key);
}
