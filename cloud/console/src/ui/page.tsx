import { SlidersHorizontal } from 'lucide-react';
import { createContext, type ReactNode, useContext, useEffect, useId, useState } from 'react';
import { COMMON } from '../words/common.ts';
import { Button } from './button.tsx';

/** The content beside the title of each page. */
export const BesideTitle = createContext<ReactNode>(null);

/** A room's page: its title, what can be done there, and its filters above what it shows. */
export function Page({
  title,
  actions,
  filters,
  children,
  isWide = true,
}: {
  title: string;
  actions?: ReactNode;
  filters?: ReactNode;
  children: ReactNode;
  isWide?: boolean;
}) {
  const besideTitle = useContext(BesideTitle);
  useEffect(() => {
    document.title = `${title} · Hlið`;
  }, [title]);
  return (
    <article className={isWide ? 'page wide' : 'page'}>
      <header className="page-head">
        <div className="page-title">
          <h1>{title}</h1>
          {besideTitle}
        </div>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {filters && <FoldedFilters>{filters}</FoldedFilters>}
      {children}
    </article>
  );
}

/** Filters that are behind a button on narrow screens, so that the list is on the first screen. */
export function FoldedFilters({ children }: { children: ReactNode }) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  return (
    <div className={isOpen ? 'fold open' : 'fold'}>
      <div className="fold-button">
        <Button aria-expanded={isOpen} aria-controls={id} onPress={() => setOpen(!isOpen)}>
          <SlidersHorizontal size={14} aria-hidden="true" /> {COMMON.filters}
        </Button>
      </div>
      <div id={id} className="filters">
        {children}
      </div>
    </div>
  );
}
