import { Search } from 'lucide-react';
import { type KeyboardEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import './find.css';

/** A line that can be opened by a click, or by Enter when the arrow keys have reached it. */
interface FindOption {
  id: string;
  content: ReactNode;
  open: () => void;
}

export interface FindGroup {
  title: string;
  options: readonly FindOption[];
}

/**
 * A field with what was found below it, in groups. The focus stays in the field; arrow keys choose a line, at first the
 * first one.
 */
export function FindBox({
  label,
  placeholder,
  text,
  onChange,
  groups,
  isOld,
  status,
  children,
}: {
  label: string;
  placeholder: string;
  text: string;
  onChange: (text: string) => void;
  groups: readonly FindGroup[];
  /** The results are not those of the typed text: Enter waits for them. */
  isOld: boolean;
  /** Read aloud when it changes. */
  status: string;
  /** Shown where there are no lines. */
  children?: ReactNode;
}) {
  const base = useId();
  const options = groups.flatMap((group) => group.options);
  const [chosen, setChosen] = useState<string | null>(null);
  const place = Math.max(
    0,
    options.findIndex(({ id }) => id === chosen),
  );
  const current = options[place];
  const list = useRef<HTMLDivElement>(null);
  const isEnterWaiting = useRef(false);

  // biome-ignore lint/correctness/useExhaustiveDependencies: the line is scrolled to when another one is chosen
  useEffect(() => {
    list.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current?.id]);
  useEffect(() => {
    if (isOld || !isEnterWaiting.current) return;
    isEnterWaiting.current = false;
    current?.open();
  }, [isOld, current]);

  const move = (to: number) => setChosen(options[(to + options.length) % options.length]?.id ?? null);
  const onKeyDown = (event: KeyboardEvent) => {
    const acts: Record<string, () => void> = {
      ArrowDown: () => move(place + 1),
      ArrowUp: () => move(place - 1),
      Enter: () => {
        if (isOld) isEnterWaiting.current = true;
        else current?.open();
      },
    };
    const act = acts[event.key];
    if (!act || event.nativeEvent.isComposing) return;
    event.preventDefault();
    act();
  };

  return (
    <div className="find-box">
      <div className="find-field">
        <Search size={16} aria-hidden="true" />
        <input
          // biome-ignore lint/a11y/noAutofocus: the field is what the person has opened
          autoFocus
          role="combobox"
          type="text"
          aria-label={label}
          aria-expanded={options.length > 0}
          aria-controls={`${base}-list`}
          aria-autocomplete="list"
          {...(current && { 'aria-activedescendant': `${base}-${current.id}` })}
          autoComplete="off"
          autoCapitalize="off"
          spellCheck={false}
          placeholder={placeholder}
          value={text}
          onChange={({ target }) => {
            isEnterWaiting.current = false;
            setChosen(null);
            onChange(target.value);
          }}
          onKeyDown={onKeyDown}
        />
      </div>
      <div ref={list} id={`${base}-list`} role="listbox" aria-label={label} className="find-list">
        {groups.map(({ title, options: lines }, at) => (
          // biome-ignore lint/a11y/useSemanticElements: a group of options is no fieldset
          <div key={title} role="group" aria-labelledby={`${base}-group-${at}`}>
            <span id={`${base}-group-${at}`} role="presentation" className="find-group">
              {title}
            </span>
            {lines.map(({ id, content, open }) => (
              // biome-ignore lint/a11y/useFocusableInteractive: the focus stays in the field
              // biome-ignore lint/a11y/useKeyWithClickEvents: the field listens for keys
              <div
                key={id}
                id={`${base}-${id}`}
                role="option"
                aria-selected={id === current?.id}
                className="find-option"
                onPointerMove={() => setChosen(id)}
                onClick={open}
              >
                {content}
              </div>
            ))}
          </div>
        ))}
      </div>
      {options.length === 0 && children}
      <p className="unseen" role="status">
        {status}
      </p>
    </div>
  );
}
