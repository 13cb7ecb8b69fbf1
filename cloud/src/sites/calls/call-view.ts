import { LanguageSchema } from '@hlid/protocol/base/language';
import { wrong } from '@hlid/protocol/base/mistakes/mistake';
import { NoteSchema } from '@hlid/protocol/base/typed-text';
import { UtcTimeSchema } from '@hlid/protocol/base/utc-time';
import { CallStateSchema } from '@hlid/protocol/site-link/edge-api';
import { z } from '@hono/zod-openapi';
import { ErrorBodySchema } from '../../platform/http/errors.ts';
import { CALL_DONE, type CallRow } from '../../records/calls/call-table.ts';

const CallDoneSchema = z.enum(CALL_DONE).meta({ id: 'CallDone' });

export const CallViewSchema = z
  .strictObject({
    id: z.string(),
    siteId: z.string(),
    terminalId: z.string().nullable(),
    visitId: z.string().nullable(),
    /** The language that the driver chose. */
    language: LanguageSchema,
    state: CallStateSchema,
    on: UtcTimeSchema,
    accepted: z.strictObject({ by: z.string(), name: z.string().nullable(), on: UtcTimeSchema }).nullable(),
    closed: z
      .strictObject({
        /** The operator who accepted it; null: it was not accepted in time. */
        by: z.string().nullable(),
        on: UtcTimeSchema,
        done: CallDoneSchema.nullable(),
        note: z.string(),
      })
      .nullable(),
  })
  .meta({ id: 'Call' });
export type CallView = z.infer<typeof CallViewSchema>;

export const CallCloseSchema = z
  .strictObject({
    done: CallDoneSchema,
    note: NoteSchema.optional().describe('Required with `other`.'),
  })
  .refine(({ done, note }) => done !== 'other' || !!note, {
    path: ['note'],
    error: wrong('say-what-was-done'),
  })
  .meta({ id: 'CallClose', example: { done: 'opened' } });
export type CallClose = z.infer<typeof CallCloseSchema>;

/** 409: another operator has the call, or it is over. */
export const CallTakenBodySchema = z
  .strictObject({ ...ErrorBodySchema.shape, call: CallViewSchema })
  .meta({ id: 'CallTaken' });

/** A call as the API shows it. */
export function callView(row: CallRow): CallView {
  const { id, siteId, terminalId, visitId, language, state, at, acceptedBy, acceptedAt, closedAt } = row;
  const { acceptedByName: name, closedBy, done, note } = row;
  return {
    id,
    siteId,
    terminalId,
    visitId,
    language,
    state,
    on: at,
    accepted: acceptedBy !== null && acceptedAt !== null ? { by: acceptedBy, name, on: acceptedAt } : null,
    closed: closedAt === null ? null : { by: closedBy, on: closedAt, done, note: note ?? '' },
  };
}
