import { newId } from '@hlid/node/new-id';
import type { CommandSender } from '../../platform/broker/command-sender.ts';
import type { Db } from '../../platform/db/db.ts';
import { callerName, type RequestCaller } from '../../platform/http/caller.ts';
import type { Refused } from '../../platform/refused.ts';
import type { PoiStatus } from './kiosk.ts';
import { placeOfTerminal } from './place-of-terminal.ts';

/** The current state of a terminal and its site, queried from the site. */
export async function poiStatus(
  { db, commands }: { db: Db; commands: CommandSender },
  caller: RequestCaller,
  terminal: string,
): Promise<{ ok: true; status: PoiStatus } | Refused> {
  const place = await db.read((q) => placeOfTerminal(q, terminal));
  if (!place.ok) return place;
  const { siteId, terminalId } = place;
  const by = callerName(caller);
  const request = { id: newId(), siteId, action: 'terminal-status', terminalId, by } as const;
  const answer = await commands.send(request);
  if (answer.terminal !== undefined) {
    const poi = answer.terminal.connection;
    return { ok: true, status: { poiStatus: poi, posStatus: poi === 'ACTIVE' ? 'ACTIVE' : 'CONNECTED' } };
  }
  const posStatus = answer.outcome === 'not-connected' ? 'DISCONNECTED' : 'UNKNOWN';
  return { ok: true, status: { poiStatus: 'UNKNOWN', posStatus } };
}
