import { type ReactNode, useEffect } from 'react';

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
  useEffect(() => {
    document.title = `${title} · Hlið`;
  }, [title]);
  return (
    <article className={isWide ? 'page wide' : 'page'}>
      <header className="page-head">
        <h1>{title}</h1>
        {actions && <div className="page-actions">{actions}</div>}
      </header>
      {filters && <div className="filters">{filters}</div>}
      {children}
    </article>
  );
}
