import { Badge } from '@hlid/ui/badge';
import { wordsOf } from '../words/words.ts';
import type { Site } from './site.ts';

const WORDS = wordsOf('connectionBadge');

/** How the link of a site is. One that was never here waits for its computer, and has lost nothing. */
export function ConnectionBadge({ site: { status, presence, archivedOn } }: { site: Site }) {
  if (archivedOn !== null) return <Badge>{WORDS.archived}</Badge>;
  if (status === 'revoked') return <Badge tone="negative">{WORDS.revoked}</Badge>;
  if (presence.connected) return <Badge tone="positive">{WORDS.connected}</Badge>;
  if (presence.since === null) return <Badge tone="caution">{WORDS.never}</Badge>;
  return <Badge tone="negative">{WORDS.lost}</Badge>;
}
