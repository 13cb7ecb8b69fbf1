import { Check, ChevronDown } from 'lucide-react';
import { type KeyboardEvent, type RefObject, type UIEvent, useEffect, useId, useRef, useState } from 'react';
import {
  matchAhead,
  rowHeightOf,
  rowsToDraw,
  SCROLL_DEBOUNCE_IOS_MS,
  SCROLL_DEBOUNCE_MS,
  toggled,
  typedAhead,
} from './select-rules.ts';
import './select.css';

interface Option {
  value: string;
  text: string;
}

interface SelectProps {
  label: string;
  options: readonly Option[];
  values: readonly string[];
  /** Shown where nothing is chosen. */
  placeholder: string;
  hint?: string;
  /** More than one: each touch adds or takes away. */
  maxValues?: number;
  /** Where it opens while nothing is chosen; else at the first. */
  opensAt?: string;
  onChange: (values: readonly string[]) => void;
}

const MAX_HEIGHT = 7 * 48;
/** Of the screen, in pixels: what the list hangs on, and what stands above it. */
const TAKEN_HEIGHT = 220;

/** What the density of the page says about lists. */
interface Layout {
  rowHeight: number;
  side: 'above' | 'below';
}

function layoutOf(root: HTMLElement): Layout {
  const style = getComputedStyle(root);
  const dense = style.getPropertyValue('--density') === 'dense';
  const { top, bottom } = root.getBoundingClientRect();
  const roomBelow = innerHeight - bottom;
  const isAbove =
    style.getPropertyValue('--select-side') === 'above' || (roomBelow < MAX_HEIGHT && roomBelow < top);
  return { rowHeight: rowHeightOf({ dense }), side: isAbove ? 'above' : 'below' };
}

/** A list to choose from, of any length: only the rows around the view are drawn. */
export function Select(props: SelectProps) {
  const { label, options, values, maxValues = 1, onChange } = props;
  const [{ rowHeight, side }, setLayout] = useState<Layout>({ rowHeight: rowHeightOf({}), side: 'below' });
  const rowsInView = rowsInViewOf({ rowHeight });
  const height = Math.min(options.length, rowsInView) * rowHeight;
  const [open, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const [scrollTop, setScrollTop] = useState(0);
  const root = useRef<HTMLDivElement>(null);
  const list = useRef<HTMLDivElement>(null);
  const ahead = useRef({ text: '', at: Number.NEGATIVE_INFINITY });
  const id = useId();

  useCloseOutside(root, open, setOpen);

  const moveTo = (at: number) => {
    setActive(at);
    const [top, shown] = [at * rowHeight, list.current?.scrollTop ?? 0];
    const next = top < shown ? top : Math.max(shown, top + rowHeight - height);
    if (list.current && next !== shown) list.current.scrollTop = next;
    setScrollTop(next);
  };
  const openAt = (at: number) => {
    setOpen(true);
    setActive(at);
    if (!root.current) return;
    const layout = layoutOf(root.current);
    setLayout(layout);
    const inView = rowsInViewOf(layout);
    const before = Math.min(at - Math.floor(inView / 2), options.length - inView);
    setScrollTop(Math.max(0, before * layout.rowHeight));
  };
  const choose = (at: number) => {
    const option = options[at];
    if (!option) return;
    const next = toggled(values, option.value, maxValues);
    if (next !== values) onChange(next);
    setActive(at);
    if (maxValues === 1) setOpen(false);
  };
  const onKeyDown = (event: KeyboardEvent) => {
    const { key } = event;
    const current = open ? active : chosenIndex(props);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: rowsInView, PageUp: -rowsInView }[key];
    const goTo = (at: number) => (open ? moveTo(at) : openAt(at));
    if (step !== undefined) goTo(open ? Math.min(options.length - 1, Math.max(0, current + step)) : current);
    else if (key === 'Home') goTo(0);
    else if (key === 'End') goTo(options.length - 1);
    else if (key === 'Escape' || key === 'Tab') {
      setOpen(false);
      return;
    } else if (
      key === 'Enter' ||
      (key === ' ' && typedAhead(ahead.current, key, event.timeStamp).text === '')
    ) {
      if (open) choose(active);
      else openAt(current);
    } else if (key.length === 1 && !event.ctrlKey && !event.altKey && !event.metaKey) {
      ahead.current = typedAhead(ahead.current, key, event.timeStamp);
      const at = matchAhead(
        options.map(({ text }) => text),
        ahead.current.text,
        current,
      );
      if (at >= 0) goTo(at);
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };

  const chosen = options.filter(({ value }) => values.includes(value)).map(({ text }) => text);
  return (
    <div className="select" ref={root}>
      <span className="select-label" id={`${id}-label`}>
        {label}
      </span>
      <button
        type="button"
        className="button select-button"
        role="combobox"
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-controls={`${id}-list`}
        aria-labelledby={`${id}-label ${id}-value`}
        aria-activedescendant={open ? `${id}-${active}` : undefined}
        onClick={() => (open ? setOpen(false) : openAt(chosenIndex(props)))}
        onKeyDown={onKeyDown}
      >
        <span id={`${id}-value`}>{chosen.length === 0 ? props.placeholder : chosen.join(', ')}</span>
        <ChevronDown className="icon" />
      </button>
      {open && (
        <SelectPopup
          {...props}
          {...{ id, rowHeight, side, height, active, scrollTop }}
          onScroll={setScrollTop}
          onChoose={choose}
          list={list}
        />
      )}
    </div>
  );
}

function rowsInViewOf({ rowHeight }: Pick<Layout, 'rowHeight'>): number {
  return Math.floor(Math.min(MAX_HEIGHT, innerHeight - TAKEN_HEIGHT) / rowHeight);
}

/** The option at which the list opens. */
function chosenIndex({ options, values, opensAt }: SelectProps): number {
  const isChosen = ({ value }: Option) => (values.length === 0 ? value === opensAt : values.includes(value));
  return Math.max(0, options.findIndex(isChosen));
}

interface SelectPopupProps extends SelectProps {
  id: string;
  rowHeight: number;
  side: Layout['side'];
  height: number;
  active: number;
  scrollTop: number;
  /** The list has come to rest. */
  onScroll: (scrollTop: number) => void;
  onChoose: (at: number) => void;
  list: RefObject<HTMLDivElement | null>;
}

function SelectPopup(props: SelectPopupProps) {
  const { id, options, values, hint, maxValues = 1, rowHeight, height, active, scrollTop, list } = props;
  const settle = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(settle.current), []);
  const onScroll = ({ currentTarget }: UIEvent<HTMLDivElement>) => {
    clearTimeout(settle.current);
    const pause = /iPad|iPhone|iPod/.test(navigator.userAgent) ? SCROLL_DEBOUNCE_IOS_MS : SCROLL_DEBOUNCE_MS;
    settle.current = setTimeout(() => props.onScroll(currentTarget.scrollTop), pause);
  };
  const takeList = (element: HTMLDivElement | null) => {
    if (element && !list.current) element.scrollTop = scrollTop;
    list.current = element;
  };
  const { first, end } = rowsToDraw({ scrollTop, height, rowHeight, count: options.length });
  return (
    <div className={`select-popup ${props.side}`}>
      {hint !== undefined && <p className="select-hint">{hint}</p>}
      <div
        className="select-list"
        role="listbox"
        id={`${id}-list`}
        aria-labelledby={`${id}-label`}
        aria-multiselectable={maxValues > 1}
        tabIndex={-1}
        ref={takeList}
        style={{ height }}
        onScroll={onScroll}
      >
        <div style={{ height: options.length * rowHeight }} role="presentation">
          {options.slice(first, end).map((option, at) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: keys go to the combobox, which keeps the focus.
            <div
              key={option.value}
              id={`${id}-${first + at}`}
              className={`select-row ${first + at === active ? 'active' : ''}`}
              role="option"
              tabIndex={-1}
              aria-selected={values.includes(option.value)}
              aria-setsize={options.length}
              aria-posinset={first + at + 1}
              style={{ top: (first + at) * rowHeight, height: rowHeight }}
              onClick={() => props.onChoose(first + at)}
            >
              {option.text}
              {values.includes(option.value) && <Check className="icon" />}
            </div>
          ))}
        </div>
      </div>
    </div>
  );
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
