import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { z } from '@hono/zod-openapi';
import type { Caller } from '../../platform/http/caller.ts';
import { MAIL_KINDS, MAIL_STATUSES, type MailKind } from '../../records/mail/mail-table.ts';
import { actionsFor } from '../auth/record-actions.ts';
import { MAIL_ACTION_NAMES, MAIL_ACTIONS, MailActionsSchema } from './mail-actions.ts';
import type { MailRow } from './mail-store.ts';

export const MailStatusSchema = z
  .enum(MAIL_STATUSES)
  .meta({ id: 'MailStatus' })
  .describe('`waiting`: not sent yet, or there is no mail server.');

/** Mail as the API shows it in a list. */
export const MailSchema = z
  .strictObject({
    id: z.string(),
    to: z.string(),
    subject: z.string(),
    kind: z.enum(MAIL_KINDS),
    status: MailStatusSchema,
    attempts: z.int().describe('Attempts since it was queued or resent.'),
    nextTryOn: UtcTimeSchema.nullable().describe('The time of the next attempt; null: none.'),
    error: z.string().nullable().describe('The reason why the last attempt failed.'),
    createdOn: UtcTimeSchema,
    sentOn: UtcTimeSchema.nullable(),
  })
  .meta({
    id: 'Mail',
    example: {
      id: '4f6f1c39-2f0b-4d8b-9c52-0f7b2d7d5a11',
      to: 'bokhald@example.is',
      subject: 'Reikningur nr. 1041',
      kind: 'invoice' as const,
      status: 'waiting' as const,
      attempts: 2,
      nextTryOn: '2026-12-01T00:16:07.000Z',
      error: '451 4.3.0 Try again later',
      createdOn: '2026-12-01T00:12:07.000Z',
      sentOn: null,
    },
  });

/** One mail with its text. */
export const MailWithTextSchema = z
  .strictObject({
    ...MailSchema.shape,
    text: z.string().nullable().describe('Null: the text contains a login link.'),
    actions: MailActionsSchema,
  })
  .meta({ id: 'MailWithText' });

export function mailFrom(row: MailRow): z.infer<typeof MailSchema> {
  return {
    id: row.id,
    to: row.to,
    subject: row.subject,
    kind: row.kind,
    status: row.status,
    attempts: row.attempts,
    nextTryOn: row.status === 'waiting' ? row.dueAt : null,
    error: row.lastError,
    createdOn: row.createdAt,
    sentOn: row.sentAt,
  };
}

const LINK_KINDS: readonly MailKind[] = ['recover-password', 'invitation', 'driver-link'];

export function mailWithTextFrom(row: MailRow, caller: Caller): z.infer<typeof MailWithTextSchema> {
  return {
    ...mailFrom(row),
    text: LINK_KINDS.includes(row.kind) ? null : row.text,
    actions: actionsFor(MAIL_ACTION_NAMES, MAIL_ACTIONS, caller, {}, row),
  };
}
