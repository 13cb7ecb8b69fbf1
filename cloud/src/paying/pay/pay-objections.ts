import { nowUtc } from '@hlid/node/clock';
import type { UtcTime } from '@hlid/protocol/base/utc-time';
import type { PayObjection } from '@hlid/protocol/pages/pay-api';
import { cloudActor } from '../../people/audit/audit.ts';
import type { Queries, Tx } from '../../platform/db/db.ts';
import { eq } from '../../platform/db/sql.ts';
import { type Actor, ALL_ROWS } from '../../platform/http/caller.ts';
import type { CloudContext } from '../../platform/http/cloud-env.ts';
import type { Refused } from '../../platform/refused.ts';
import { type DisputeRow, disputeTable } from '../../records/disputes/dispute-table.ts';
import { commonTimeZone, siteById } from '../../records/sites/choose-site.ts';
import { siteName } from '../../records/sites/find-sites.ts';
import { withdrawDispute } from '../disputes/answer-dispute.ts';
import { addMessage } from '../disputes/change-dispute.ts';
import { DisputeLinks } from '../disputes/dispute-links.ts';
import { findDispute, messagesOf } from '../disputes/find-dispute.ts';
import type { PayResult } from './pay-stays.ts';

const PART = 'pay-page';

/** Disputes on the payment page, each for the person with its link, which shows no other one. */
export class PayObjections {
  readonly #context: Pick<CloudContext, 'db' | 'clock' | 'publicUrl'>;
  readonly #links: DisputeLinks;

  constructor(context: Pick<CloudContext, 'db' | 'clock' | 'publicUrl'>) {
    this.#context = context;
    this.#links = new DisputeLinks(context);
  }

  async show(link: string): Promise<PayResult<PayObjection>> {
    const id = await this.#links.read(link);
    const found = id === null ? null : await this.#context.db.read((q) => objectionOf(q, id));
    return found === null ? { ok: false, fault: 'expired' } : { ok: true, value: found };
  }

  async write(link: string, text: string): Promise<PayResult<PayObjection>> {
    return await this.#change(link, async (tx, actor, row) =>
      row.state === 'open'
        ? await addMessage(tx, actor, row, { side: 'driver', text })
        : { ok: false, reason: 'not-found' },
    );
  }

  async withdraw(link: string): Promise<PayResult<PayObjection>> {
    return await this.#change(link, withdrawDispute);
  }

  async #change(
    link: string,
    change: (tx: Tx, actor: Actor, row: DisputeRow) => Promise<{ ok: true } | Refused>,
  ): Promise<PayResult<PayObjection>> {
    const id = await this.#links.read(link);
    if (id === null) return { ok: false, fault: 'expired' };
    const actor = cloudActor(PART, nowUtc(this.#context.clock));
    const changed = await this.#context.db.write(async (tx) => {
      const row = await tx.q.select().from(disputeTable).where(eq(disputeTable.id, id)).get();
      return row === undefined ? null : await change(tx, actor, row);
    });
    if (changed === null) return { ok: false, fault: 'expired' };
    return changed.ok ? await this.show(link) : { ok: false, fault: 'disputed' };
  }
}

async function objectionOf(q: Queries, id: string): Promise<PayObjection | null> {
  const found = await findDispute(q, id, ALL_ROWS);
  if (found === null) return null;
  const { state, plate, invoiceNumber, siteId, text, openedOn, answerBy, answer } = found.view;
  const site = siteId === null ? null : await siteById(q, siteId);
  const messages = await messagesOf(q, id);
  return {
    dispute: { state },
    plate,
    invoiceNumber,
    siteName: siteId === null ? null : await siteName(q, siteId),
    timeZone: site?.timeZone ?? (await commonTimeZone(q)),
    text,
    openedAt: openedOn,
    answerBy,
    messages: messages.map(({ side, text: words, on }) => ({ side, text: words, at: on })),
    answer: answer && { text: answer.text, at: answer.on as UtcTime, given: givenOf(answer.given) },
  };
}

type Given = NonNullable<NonNullable<PayObjection['answer']>['given']>;

function givenOf(given: { way: Given['way']; amount: number; currency: string } | null): Given | null {
  return given && { way: given.way, amountMinor: given.amount, currency: given.currency };
}
