import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { wordsOf } from '../words/words.ts';

const WORDS = wordsOf('shortcuts');

/** A key, such as `o` or `space`, or two after each other, such as `g v`; `mod+k` with Ctrl or Cmd. */
export interface Shortcut {
  keys: string;
  label: string;
  act: () => void;
}

/** A key that a part has by itself, for the list of keys. */
export type FixedKey = Omit<Shortcut, 'act'>;

interface Shortcuts {
  add(shortcut: Shortcut): () => void;
  /** Does what a key of this page does. */
  press(keys: string): void;
  showHelp(): void;
  /** Presses a key as soon as the page that is being opened has it. */
  pressWhenThere(keys: string): void;
}

const ShortcutContext = createContext<Shortcuts | null>(null);
const STORED_AS = 'hlid.single-keys';
const SECOND_KEY_MS = 1200;
/** If a page takes longer than this to load, its dialog does not open: it would surprise the person. */
const PAGE_LOADS_MS = 10_000;

/** Listens for keys. Single keys never act while a field has the focus, and can be switched off (WCAG 2.1.4). */
export function ShortcutProvider({
  fixed,
  children,
}: {
  /** Keys that act without this. */
  fixed: readonly FixedKey[];
  children: ReactNode;
}) {
  const all = useRef<Shortcut[]>([]);
  const first = useRef<{ key: string; at: number } | null>(null);
  const awaited = useRef<{ keys: string; until: number } | null>(null);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [areOn, setOn] = useState(() => localStorage.getItem(STORED_AS) !== 'off');

  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const key = keyOf(event);
      // A key that is held down acts once.
      if (key === null || event.repeat) return;
      if (isDialogOpen()) return;
      const isSingle = !key.startsWith('mod+');
      if (isSingle && (!areOn || isTyping(event.target))) return;
      const before = first.current;
      first.current = null;
      const chord = before !== null && Date.now() - before.at < SECOND_KEY_MS ? `${before.key} ${key}` : null;
      // The last one added is of the screen on top.
      const found =
        all.current.findLast(({ keys }) => keys === chord) ??
        all.current.findLast(({ keys }) => keys === key);
      const isHelp = found === undefined && key === '?';
      if (!found && !isHelp) {
        if (all.current.some(({ keys }) => keys.startsWith(`${key} `)))
          first.current = { key, at: Date.now() };
        return;
      }
      event.preventDefault();
      if (found) found.act();
      else setHelpOpen(true);
    };
    document.addEventListener('keydown', listen);
    return () => document.removeEventListener('keydown', listen);
  }, [areOn]);

  const add = (shortcut: Shortcut) => {
    all.current = [...all.current, shortcut];
    const { keys, until } = awaited.current ?? { keys: null, until: 0 };
    if (keys === shortcut.keys) {
      awaited.current = null;
      if (Date.now() < until) queueMicrotask(shortcut.act);
    }
    return () => {
      all.current = all.current.filter((one) => one !== shortcut);
    };
  };
  const press = (keys: string) => all.current.findLast((one) => one.keys === keys)?.act();
  const pressWhenThere = (keys: string) => {
    awaited.current = { keys, until: Date.now() + PAGE_LOADS_MS };
  };
  const switchOn = (on: boolean) => {
    localStorage.setItem(STORED_AS, on ? 'on' : 'off');
    setOn(on);
  };

  return (
    <ShortcutContext value={{ add, press, showHelp: () => setHelpOpen(true), pressWhenThere }}>
      {children}
      {isHelpOpen && (
        <Dialog title={WORDS.title} onClose={() => setHelpOpen(false)}>
          <label className="check-line">
            <input type="checkbox" checked={areOn} onChange={({ target }) => switchOn(target.checked)} />
            {WORDS.single}
          </label>
          <ul className="keys">
            {shownKeys([{ keys: '?', label: WORDS.help }, ...all.current, ...fixed]).map(
              ({ keys, label }) => (
                <li key={keys}>
                  <span>{label}</span>
                  <kbd>{keysText(keys)}</kbd>
                </li>
              ),
            )}
          </ul>
        </Dialog>
      )}
    </ShortcutContext>
  );
}

/** A key that a page uses for something else than the shell does is listed once. */
function shownKeys(all: readonly FixedKey[]): FixedKey[] {
  return [...new Map(all.map(({ keys, label }) => [keys, { keys, label }])).values()];
}

function keysText(keys: string): string {
  if (keys.startsWith('mod+')) return `Ctrl ${keys.slice('mod+'.length).toUpperCase()}`;
  // Two keys after each other, such as `g v`.
  return /^\w \w$/.test(keys) ? keys.replace(' ', ` ${WORDS.after} `) : keys;
}

function keyOf({ key, altKey, ctrlKey, metaKey, shiftKey, isComposing }: KeyboardEvent): string | null {
  if (altKey || isComposing || key === 'Shift') return null;
  // Signs such as `?` need Shift on some keyboards, letters do not.
  if (shiftKey && (key === ' ' || key.toUpperCase() !== key.toLowerCase())) return null;
  const name = key === ' ' ? 'space' : key.toLowerCase();
  return ctrlKey || metaKey ? `mod+${name}` : name;
}

/** The page under a dialog has no keys. */
function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog], [role=alertdialog], dialog[open]') !== null;
}

/** Fields, and lists and menus in which letters find an entry. A box that is ticked takes no letters. */
const TYPED_IN =
  'input:not([type=checkbox]):not([type=radio]), textarea, select, [contenteditable], ' +
  '[role=textbox], [role=combobox], [role=searchbox], [role=spinbutton], [role=listbox], [role=menu]';

function isTyping(target: EventTarget | null): boolean {
  return target instanceof HTMLElement && target.closest(TYPED_IN) !== null;
}

/** A key that acts while the component that names it is shown. Null: there is nothing to do now. */
export function useShortcut(keys: string, label: string, act: (() => void) | null): void {
  const shortcuts = useShortcuts();
  const latest = useRef(act);
  latest.current = act;
  const isOn = act !== null;
  // biome-ignore lint/correctness/useExhaustiveDependencies: the provider is there for the life of the page
  useEffect(() => {
    if (!isOn) return;
    return shortcuts.add({ keys, label, act: () => latest.current?.() });
  }, [keys, label, isOn]);
}

export function useShortcuts(): Shortcuts {
  const shortcuts = useContext(ShortcutContext);
  if (shortcuts === null) throw new Error('There is no ShortcutProvider above.');
  return shortcuts;
}
