import { ChevronDown } from 'lucide-react';
import { type KeyboardEvent, type RefObject, useEffect, useId, useRef, useState } from 'react';
import { SelectPopup } from './select-popup.tsx';
import { indexAfterKey, matchAhead, type TypeAhead, toggled, typedAhead } from './select-rules.ts';
import { type Option, type SearchOptions, type SearchWords, useSearch } from './select-search.ts';
import { useListbox } from './use-listbox.ts';
import './select.css';

interface SelectProps {
  label: string;
  /** All of them; with `search`, those that are chosen. */
  options: readonly Option[];
  values: readonly string[];
  /** Shown where nothing is chosen. */
  placeholder: string;
  hint?: string;
  /** More than one: each touch adds or takes away. */
  maxValues?: number;
  /** The value at which the list opens while nothing is chosen; absent: the first. */
  opensAt?: string;
  /** The search for options of a server. It must be the same function each time. */
  search?: { load: SearchOptions; words: SearchWords };
  onChange: (values: readonly string[], options: readonly Option[]) => void;
}

/** A list to choose from, of any length: only the rows around the view are drawn. */
export function Select(props: SelectProps) {
  const { label, values, placeholder, maxValues = 1, onChange } = props;
  const [open, setOpen] = useState(false);
  const search = useSearch(props.search?.load, open);
  const options = props.search ? (search.found ?? []) : props.options;
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const listbox = useListbox(options.length, root);
  const { active, layout } = listbox;
  const ahead = useRef<TypeAhead>({ text: '', at: Number.NEGATIVE_INFINITY });
  const id = useId();

  useCloseOutside(root, open, setOpen);
  const { found } = search;
  const { show } = listbox;
  useEffect(() => {
    if (found) show(0);
  }, [found, show]);

  const openAt = (at: number) => {
    setOpen(true);
    listbox.show(at);
  };
  const close = () => {
    setOpen(false);
    if (root.current?.contains(document.activeElement)) button.current?.focus();
  };
  const choose = (at: number) => {
    const option = options[at];
    if (!option) return;
    const next = toggled(values, option.value, maxValues);
    if (next !== values) onChange(next, chosenOf([...props.options, ...options], next));
    listbox.moveTo(at);
    if (maxValues === 1) close();
  };
  const findTyped = (key: string, at: number, current: number) => {
    ahead.current = typedAhead(ahead.current, key, at);
    return matchAhead(
      options.map(({ text }) => text),
      ahead.current.text,
      current,
    );
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    const current = open ? active : chosenIndex(props);
    const isTyping = open && props.search !== undefined;
    const next = indexAfterKey(key, {
      current,
      count: options.length,
      rowsInView: layout.rowsInView,
      isTyping,
    });
    if (key === 'Tab') return setOpen(false);
    if (key === 'Escape' && !open) return;
    const isBegun = typedAhead(ahead.current, ' ', event.timeStamp).text !== '';
    if (key === 'Escape') close();
    else if (key === 'Enter' || (key === ' ' && !isTyping && !isBegun)) {
      if (open) choose(active);
      else openAt(current);
    } else if (next !== null) {
      if (open) listbox.moveTo(next);
      else openAt(key.startsWith('Arrow') || key.startsWith('Page') ? current : next);
    } else if (!isTyping && key.length === 1 && !event.ctrlKey && !event.altKey && !event.metaKey) {
      const at = findTyped(key, event.timeStamp, current);
      if (at >= 0) open ? listbox.moveTo(at) : openAt(at);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const chosen = chosenOf(props.options, values).map(({ text }) => text);
  const activeId = open && options.length > 0 ? `${id}-${active}` : undefined;
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: keys of the button and of the field inside.
    <div className="select" ref={root} onKeyDown={onKeyDown}>
      <span className="select-label" id={`${id}-label`}>
        {label}
      </span>
      <button
        type="button"
        ref={button}
        className="button select-button"
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-labelledby={`${id}-label ${id}-value`}
        aria-activedescendant={activeId}
        onClick={() => (open ? setOpen(false) : openAt(chosenIndex(props)))}
      >
        <span id={`${id}-value`}>{chosen.length === 0 ? placeholder : chosen.join(', ')}</span>
        <ChevronDown className="icon" />
      </button>
      {open && (
        <SelectPopup
          {...{ id, options, values, maxValues, listbox, activeId }}
          hint={props.hint}
          search={props.search && { ...search, words: props.search.words }}
          onChoose={choose}
        />
      )}
    </div>
  );
}

function chosenOf(options: readonly Option[], values: readonly string[]): Option[] {
  return values.flatMap((value) => options.find((option) => option.value === value) ?? []);
}

/** The option at which the list opens. */
function chosenIndex({ options, values, opensAt, search }: SelectProps): number {
  if (search) return 0;
  const isChosen = ({ value }: Option) => (values.length === 0 ? value === opensAt : values.includes(value));
  return Math.max(0, options.findIndex(isChosen));
}

/** Closes what is open when something outside of it is touched. */
function useCloseOutside(
  root: RefObject<HTMLElement | null>,
  open: boolean,
  setOpen: (open: boolean) => void,
): void {
  useEffect(() => {
    if (!open) return;
    const close = ({ target }: Event) => {
      if (target instanceof Node && !root.current?.contains(target)) setOpen(false);
    };
    document.addEventListener('pointerdown', close);
    return () => document.removeEventListener('pointerdown', close);
  }, [open, root, setOpen]);
}
