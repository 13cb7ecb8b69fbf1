import { type RefObject, useCallback, useRef, useState } from 'react';
import { rowHeightOf, rowsInViewOf } from './select-rules.ts';

/** Less room than this below a list, and more above: it opens above. */
const MIN_SPACE_BELOW = 360;

interface ListLayout {
  rowHeight: number;
  rowsInView: number;
  side: 'above' | 'below';
}

export interface Listbox {
  list: RefObject<HTMLDivElement | null>;
  /** The row at which the keyboard is. */
  active: number;
  scrollTop: number;
  height: number;
  layout: ListLayout;
  /** Opens, or starts with other rows, with this one in the middle. */
  show: (at: number) => void;
  moveTo: (at: number) => void;
  scrolled: (scrollTop: number) => void;
}

/** The position of the keyboard and of the view in a list. */
export function useListbox(count: number, root: RefObject<HTMLElement | null>): Listbox {
  const list = useRef<HTMLDivElement>(null);
  const counted = useRef(count);
  counted.current = count;
  const [active, setActive] = useState(0);
  const [scrollTop, setScrollTop] = useState(0);
  const [layout, setLayout] = useState<ListLayout>({ rowHeight: 1, rowsInView: 1, side: 'below' });
  const height = Math.min(count, layout.rowsInView) * layout.rowHeight;
  const show = useCallback(
    (at: number) => {
      if (!root.current) return;
      const next = layoutOf(root.current);
      const { rowHeight, rowsInView } = next;
      const before = Math.min(at - Math.floor(rowsInView / 2), counted.current - rowsInView);
      const top = Math.max(0, before * rowHeight);
      setLayout(next);
      setActive(at);
      setScrollTop(top);
      if (list.current) list.current.scrollTop = top;
    },
    [root],
  );
  const moveTo = (at: number) => {
    setActive(at);
    const [top, shown] = [at * layout.rowHeight, list.current?.scrollTop ?? 0];
    const next = top < shown ? top : Math.max(shown, top + layout.rowHeight - height);
    if (list.current && next !== shown) list.current.scrollTop = next;
    setScrollTop(next);
  };
  return { list, active, scrollTop, height, layout, show, moveTo, scrolled: setScrollTop };
}

/** The list layout for the page's density. */
function layoutOf(root: HTMLElement): ListLayout {
  const style = getComputedStyle(root);
  const rowHeight = rowHeightOf({ dense: style.getPropertyValue('--density') === 'dense' });
  const { top, bottom } = root.getBoundingClientRect();
  const spaceBelow = innerHeight - bottom;
  const isAbove =
    style.getPropertyValue('--select-side') === 'above' || (spaceBelow < MIN_SPACE_BELOW && spaceBelow < top);
  return { rowHeight, rowsInView: rowsInViewOf(rowHeight, innerHeight), side: isAbove ? 'above' : 'below' };
}
