import { plateInText } from '@hlid/protocol/plate/plate';
import type { Queries } from '../../platform/db/db.ts';
import { and, eq, or, sql } from '../../platform/db/sql.ts';
import { mailTable } from '../../records/mail/mail-table.ts';
import { rejectedEventTable } from '../../records/sites/event-cursor-table.ts';

/** Takes a plate out of what is kept as text, where it stands as a word: no mail is lost for having it in a price. */
export async function erasePlateInTexts(q: Queries, plate: string): Promise<void> {
  await eraseInMails(q, plate);
  await eraseRejectedEvents(q, plate);
}

async function eraseInMails(q: Queries, plate: string): Promise<void> {
  const { subject, text, html } = mailTable;
  const mails = await q
    .select({ id: mailTable.id, status: mailTable.status, subject, text, html })
    .from(mailTable)
    .where(
      or(
        sql`instr(${subject}, ${plate}) > 0`,
        sql`instr(${text}, ${plate}) > 0`,
        sql`instr(${html}, ${plate}) > 0`,
      ),
    );
  for (const { id, status, ...texts } of mails) {
    const spelt = [texts.subject, texts.text, texts.html ?? ''].some((some) => plateInText(plate).test(some));
    if (!spelt) continue;
    if (status !== 'waiting') await q.delete(mailTable).where(eq(mailTable.id, id));
    else {
      const without = (some: string) => some.replace(plateInText(plate), '–');
      await q
        .update(mailTable)
        .set({
          subject: without(texts.subject),
          text: without(texts.text),
          html: texts.html && without(texts.html),
        })
        .where(eq(mailTable.id, id));
    }
  }
}

async function eraseRejectedEvents(q: Queries, plate: string): Promise<void> {
  const { siteId, epoch, seq, event } = rejectedEventTable;
  const events = await q
    .select({ siteId, epoch, seq, event })
    .from(rejectedEventTable)
    .where(sql`instr(${event}, ${plate}) > 0`);
  for (const row of events.filter((some) => plateInText(plate).test(some.event))) {
    await q
      .delete(rejectedEventTable)
      .where(and(eq(siteId, row.siteId), eq(epoch, row.epoch), eq(seq, row.seq)));
  }
}
