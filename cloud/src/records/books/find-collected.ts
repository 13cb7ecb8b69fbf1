import type { Queries } from '../../platform/db/db.ts';
import { eq } from '../../platform/db/sql.ts';
import { collectionItemTable as t } from './collection-table.ts';

/** Whether an invoice was handed to a collector, who alone asks for it from then on. */
export async function isCollected(q: Queries, invoiceId: string): Promise<boolean> {
  const found = await q.select({ n: t.n }).from(t).where(eq(t.invoiceId, invoiceId)).get();
  return found !== undefined;
}
