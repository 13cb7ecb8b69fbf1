import { Check } from 'lucide-react';
import { type UIEvent, useEffect, useRef } from 'react';
import { rowsToDraw, SCROLL_THROTTLE_IOS_MS, SCROLL_THROTTLE_MS } from './select-rules.ts';
import type { Option, Search, SearchWords } from './select-search.ts';
import type { Listbox } from './use-listbox.ts';

interface SelectPopupProps {
  id: string;
  options: readonly Option[];
  values: readonly string[];
  hint: string | undefined;
  maxValues: number;
  listbox: Listbox;
  activeId: string | undefined;
  search: (Search & { words: SearchWords }) | undefined;
  onChoose: (at: number) => void;
}

/** The open list of a Select, with the field that searches it. */
export function SelectPopup(props: SelectPopupProps) {
  const { id, options, hint, listbox, activeId, search } = props;
  return (
    <div className={`select-popup ${listbox.layout.side}`}>
      {search && (
        <input
          className="select-search"
          type="text"
          role="combobox"
          aria-label={search.words.label}
          aria-expanded
          aria-controls={`${id}-list`}
          aria-activedescendant={activeId}
          autoComplete="off"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: the field comes up because somebody opened the list.
          autoFocus
          value={search.text}
          onChange={({ target }) => search.setText(target.value)}
        />
      )}
      {hint !== undefined && <p className="select-hint">{hint}</p>}
      {search && <SearchState search={search} isEmpty={options.length === 0} />}
      <Rows {...props} />
    </div>
  );
}

/** Why a search shows no options, or old ones. */
function SearchState({ search, isEmpty }: { search: Search & { words: SearchWords }; isEmpty: boolean }) {
  const { words, found, failed } = search;
  const text = failed ? words.failed : found === null ? words.loading : isEmpty ? words.none : '';
  return (
    <p className={text === '' ? 'unseen' : 'select-hint'} role="status">
      {text}
    </p>
  );
}

function Rows({ id, options, values, maxValues, listbox, onChoose }: SelectPopupProps) {
  const { list, active, scrollTop, height, layout } = listbox;
  const { rowHeight } = layout;
  const pending = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => () => clearTimeout(pending.current), []);
  const onScroll = ({ currentTarget }: UIEvent<HTMLDivElement>) => {
    const isIos = /iPad|iPhone|iPod/.test(navigator.userAgent);
    pending.current ??= setTimeout(
      () => {
        pending.current = undefined;
        listbox.scrolled(currentTarget.scrollTop);
      },
      isIos ? SCROLL_THROTTLE_IOS_MS : SCROLL_THROTTLE_MS,
    );
  };
  const keepList = (element: HTMLDivElement | null) => {
    if (element && !list.current) element.scrollTop = scrollTop;
    list.current = element;
  };
  const { first, end } = rowsToDraw({ scrollTop, height, rowHeight, count: options.length });
  return (
    <div
      className="select-list"
      role="listbox"
      id={`${id}-list`}
      aria-labelledby={`${id}-label`}
      aria-multiselectable={maxValues > 1}
      tabIndex={-1}
      ref={keepList}
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
            onClick={() => onChoose(first + at)}
          >
            <span>{option.text}</span>
            {values.includes(option.value) && <Check className="icon" />}
          </div>
        ))}
      </div>
    </div>
  );
}
