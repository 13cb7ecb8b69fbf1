import type { Db } from '../../platform/db/db.ts';
import type { Actor } from '../../platform/http/caller.ts';
import { NOT_FOUND, type Refused, refusedInput } from '../../platform/refused.ts';
import { audit } from '../audit/audit.ts';
import { MAIL_ACTIONS } from './mail-actions.ts';
import { findMail, type MailRow, updateMail } from './mail-store.ts';
import { MAIL_WAITING } from './queue-mail.ts';

/** Puts a mail into the queue once more, at its head, with all its attempts before it. */
export async function sendAgain(
  db: Db,
  actor: Actor,
  id: string,
): Promise<{ ok: true; mail: MailRow } | Refused> {
  return await db.write(async (tx) => {
    const before = await findMail(tx.q, id);
    if (before === null) return NOT_FOUND;
    const why = MAIL_ACTIONS.send.refuse(before);
    if (why !== null) return refusedInput(why);
    const mail: MailRow = {
      ...before,
      status: 'waiting',
      // A mail that was sent becomes a new message; one that was not stays the same message.
      resends: before.status === 'sent' ? before.resends + 1 : before.resends,
      attempts: 0,
      dueAt: actor.at,
      heldBy: null,
      lastError: null,
      sentAt: null,
    };
    await updateMail(tx.q, id, mail);
    tx.announce(MAIL_WAITING);
    await audit(tx, actor, {
      action: 'mail.send',
      subject: 'mail',
      subjectId: id,
      before: { status: before.status },
      after: { status: mail.status },
    });
    return { ok: true, mail };
  });
}
