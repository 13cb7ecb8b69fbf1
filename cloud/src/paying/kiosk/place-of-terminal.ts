import { mistake } from '@hlid/protocol/base/mistakes/mistake';
import type { Queries } from '../../platform/db/db.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import { sitesWithTerminal } from './kiosk-store.ts';

/** A card terminal, and the site that owns it. */
export interface TerminalPlace {
  ok: true;
  siteId: string;
  terminalId: string;
}

/** @param name as its site names it, or behind the site's id and a colon */
export async function placeOfTerminal(q: Queries, name: string): Promise<TerminalPlace | Refused> {
  const [, named, terminalId = name] = /^([0-9a-f-]{36}):(.+)$/.exec(name) ?? [];
  const sites = await sitesWithTerminal(q, terminalId);
  const fitting = named === undefined ? sites : sites.filter((id) => id === named);
  const [siteId, another] = fitting;
  if (siteId === undefined) return NOT_FOUND;
  if (another !== undefined) {
    return refusedInput(mistake('terminal-ambiguous', 'terminal', { terminalId }));
  }
  return { ok: true, siteId, terminalId };
}
