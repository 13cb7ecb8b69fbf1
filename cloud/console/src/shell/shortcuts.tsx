import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { Dialog } from '../ui/dialog.tsx';
import { wordsIn } from '../words/words.ts';

const WORDS = wordsIn(
  { title: 'Keys', single: 'Single keys act', help: 'Show the keys', after: 'then' },
  { title: 'Flýtilyklar', single: 'Stakir lyklar virka', help: 'Sýna flýtilykla', after: 'svo' },
);

/** A key, such as `o` or `space`, or two after each other, such as `g v`; `mod+k` with Ctrl or Cmd. */
export interface Shortcut {
  keys: string;
  label: string;
  act: () => void;
}

interface Shortcuts {
  add(shortcut: Shortcut): () => void;
  showHelp(): void;
}

const ShortcutContext = createContext<Shortcuts | null>(null);
const STORED_AS = 'hlid.single-keys';
const SECOND_KEY_MS = 1200;

/** Listens for keys. Single keys never act while a field has the focus, and can be switched off (WCAG 2.1.4). */
export function ShortcutProvider({ children }: { children: ReactNode }) {
  const all = useRef<Shortcut[]>([]);
  const first = useRef<{ key: string; at: number } | null>(null);
  const [isHelpOpen, setHelpOpen] = useState(false);
  const [areOn, setOn] = useState(() => localStorage.getItem(STORED_AS) !== 'off');

  useEffect(() => {
    const listen = (event: KeyboardEvent) => {
      const key = keyOf(event);
      // A key that is held down acts once.
      if (key === null || event.repeat) return;
      const isSingle = !key.startsWith('mod+');
      if (isSingle && (!areOn || isTyping(event.target) || isDialogOpen())) return;
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
    return () => {
      all.current = all.current.filter((one) => one !== shortcut);
    };
  };
  const switchOn = (on: boolean) => {
    localStorage.setItem(STORED_AS, on ? 'on' : 'off');
    setOn(on);
  };

  return (
    <ShortcutContext value={{ add, showHelp: () => setHelpOpen(true) }}>
      {children}
      {isHelpOpen && (
        <Dialog title={WORDS.title} onClose={() => setHelpOpen(false)}>
          <label className="check-line">
            <input type="checkbox" checked={areOn} onChange={({ target }) => switchOn(target.checked)} />
            {WORDS.single}
          </label>
          <ul className="keys">
            {[{ keys: '?', label: WORDS.help }, ...all.current].map(({ keys, label }) => (
              <li key={keys}>
                <span>{label}</span>
                <kbd>
                  {keys.replace('mod+', 'Ctrl ').replace(' ', ` ${keys.includes('mod') ? '' : WORDS.after} `)}
                </kbd>
              </li>
            ))}
          </ul>
        </Dialog>
      )}
    </ShortcutContext>
  );
}

function keyOf({ key, altKey, ctrlKey, metaKey }: KeyboardEvent): string | null {
  if (altKey || key === 'Shift') return null;
  const name = key === ' ' ? 'space' : key.toLowerCase();
  return ctrlKey || metaKey ? `mod+${name}` : name;
}

/** What lies under a dialog has no keys. */
function isDialogOpen(): boolean {
  return document.querySelector('[role=dialog], dialog[open]') !== null;
}

function isTyping(target: EventTarget | null): boolean {
  return (
    target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null
  );
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
