import { Link } from '@tanstack/react-router';
import { ArrowLeft } from 'lucide-react';

/** From a thing's page to the list that it stands in. */
export function BackLink({ to, children }: { to: string; children: string }) {
  return (
    <Link to={to} className="back-link">
      <ArrowLeft size={14} aria-hidden="true" />
      {children}
    </Link>
  );
}
