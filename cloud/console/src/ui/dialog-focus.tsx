import { useEffect, useRef, useState } from 'react';

const DIALOG = '[role=dialog], [role=alertdialog]';
/** The fields that a person fills in. The buttons of a dialog's head are not among them. */
const FIELDS =
  'input:not([type=hidden]):not(:disabled), select:not(:disabled), textarea:not(:disabled), [role=combobox]';

/**
 * The element that had the focus when a dialog was opened, and after it the one that had opened the dialog
 * around it.
 */
const openersOf = new WeakMap<Element, readonly HTMLElement[]>();

function openersNow(): readonly HTMLElement[] {
  const { activeElement } = document;
  if (!(activeElement instanceof HTMLElement) || activeElement === document.body) return [];
  const dialog = activeElement.closest(DIALOG);
  // An entry of a menu goes away with it, its button stays.
  const menu = activeElement.closest('[role=menu]')?.getAttribute('aria-labelledby');
  const button = menu ? document.getElementById(menu) : null;
  const behind = dialog === null ? [] : (openersOf.get(dialog) ?? []);
  return [button ?? activeElement, ...behind];
}

function focusFirstField(dialog: Element): boolean {
  const fields = [...dialog.querySelectorAll<HTMLElement>(FIELDS)];
  const first = fields.find((field) => field.closest(DIALOG) === dialog && field.checkVisibility());
  first?.focus();
  return first !== undefined;
}

/** Whether an element in the dialog has set the focus on itself already. */
function hasFocusWithin(dialog: Element): boolean {
  return document.activeElement !== dialog && dialog.contains(document.activeElement);
}

/** Gives the focus back where nothing has it: to what opened the dialog, or to what is nearest to that. */
function giveBack(openers: readonly HTMLElement[]): void {
  const isLost = () => document.activeElement === null || document.activeElement === document.body;
  for (const opener of openers) {
    if (!isLost()) return;
    if (opener.isConnected) opener.focus();
  }
  if (isLost() && openers.length > 0) document.getElementById('content')?.focus({ preventScroll: true });
}

/**
 * The last part of each dialog: its first field has the focus, unless it gives it to another one, and what opened the
 * dialog has it again afterwards. The library alone loses it where a menu opened the dialog, or another dialog.
 */
export function DialogFocus() {
  const place = useRef<HTMLSpanElement>(null);
  const [openers] = useState(openersNow);
  useEffect(() => {
    const dialog = place.current?.closest(DIALOG);
    if (!dialog) return;
    openersOf.set(dialog, openers);
    // Fields may come later, when what is edited has been read.
    const coming = new MutationObserver(() => {
      if (hasFocusWithin(dialog) || focusFirstField(dialog)) coming.disconnect();
    });
    if (!hasFocusWithin(dialog) && !focusFirstField(dialog)) {
      coming.observe(dialog, { childList: true, subtree: true });
    }
    return () => {
      coming.disconnect();
      // The focus moves after the library's own step, which comes with the next frame.
      requestAnimationFrame(() => requestAnimationFrame(() => giveBack(openers)));
    };
  }, [openers]);
  return <span ref={place} hidden />;
}
