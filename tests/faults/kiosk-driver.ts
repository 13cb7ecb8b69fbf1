import { KioskPaymentSchema } from '@hlid/protocol/pages/kiosk-api';
import { isUnderWay } from '@hlid/protocol/records/payment';
import { z } from 'zod';
import type { EdgeProgram } from '../harness/edge-program.ts';
import { waitFor } from '../harness/wait.ts';
import { CARDS } from '../sim/zvt-cards.ts';
import type { ZvtTerminal } from '../sim/zvt-terminal.ts';

const FoundSchema = z.object({ visits: z.array(z.object({ id: z.string() })).min(1) });

/** Pays at the site's kiosk, by card, unless the visit is paid already. */
export async function payAtKiosk(
  { edge, terminal }: { edge: EdgeProgram; terminal: ZvtTerminal },
  { plate, amountMinor }: { plate: string; amountMinor: number },
): Promise<void> {
  async function kiosk<Schema extends z.ZodType>(schema: Schema, path: string, body?: object) {
    const response = await fetch(new URL(`/api/kiosk/${path}`, edge.localUrl()), {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json', 'idempotency-key': crypto.randomUUID() },
    });
    return schema.safeParse(await response.json()).data ?? null;
  }

  const visit = (await kiosk(FoundSchema, `visits?plate=${encodeURIComponent(plate)}`))?.visits[0];
  const order = { visitId: visit?.id, amountMinor, language: 'is' };
  const payment = await kiosk(KioskPaymentSchema, 'payments', order);
  if (payment === null) return;
  terminal.present(CARDS.visa);
  await waitFor(
    async () => {
      const now = await kiosk(KioskPaymentSchema, `payments/${payment.id}`);
      return now !== null && !isUnderWay(now.state);
    },
    { what: 'an end of the payment at the kiosk' },
  );
}
