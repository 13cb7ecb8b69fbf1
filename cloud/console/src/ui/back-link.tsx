import { Link, type LinkProps } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';

/** The link from an item's page to its list. */
export function BackLink({ to, search, children }: { to: string; search?: object; children: string }) {
  return (
    <Link
      to={to}
      {...(search && { search: search as NonNullable<LinkProps['search']> })}
      className="back-link"
    >
      <ArrowLeft size={14} aria-hidden="true" />
      {children}
    </Link>
  );
}
