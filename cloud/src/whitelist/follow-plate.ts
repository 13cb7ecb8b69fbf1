import { foldPlate } from '@hlid/protocol/plate';
import type { Tx } from '../db/db.ts';
import type { Actor } from '../http/caller.ts';
import { saveEntry } from './change-whitelist.ts';
import { entriesOfVisit } from './whitelist-store.ts';

/** A visit's plate was corrected: what covers the visit goes with it. */
export async function followPlate(tx: Tx, actor: Actor, visitId: string, plate: string): Promise<void> {
  for (const before of await entriesOfVisit(tx.q, visitId)) {
    const after = { ...before, plate, plateFolded: foldPlate(plate), modifiedAt: actor.at };
    await saveEntry(tx, actor, before, after);
  }
}
