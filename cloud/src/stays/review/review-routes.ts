import { nowUtc } from '@hlid/node/clock';
import { HOUR_MS } from '@hlid/protocol/base/durations';
import { millis, UtcTimeSchema, utcTime } from '@hlid/protocol/base/utc-time';
import { createRoute, z } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { ownRows, sitesOf } from '../../platform/http/caller.ts';
import { actorOf, type CloudContext, type CloudEnv, callerOf } from '../../platform/http/cloud-env.ts';
import {
  conflict,
  inputError,
  MistakeSchema,
  notFound,
  REFUSALS,
  refusal,
} from '../../platform/http/errors.ts';
import { PlateSchema } from '../../platform/http/input-fields.ts';
import {
  IdParamSchema,
  json,
  jsonBody,
  LIST_REFUSALS,
  READ_REFUSALS,
} from '../../platform/http/route-schemas.ts';
import { createRouter } from '../../platform/http/router.ts';
import { englishLines } from '../../platform/refused.ts';
import { answerCase, claimCase, type RefusedAnswer, releaseCase } from './answer-case.ts';
import { caseFrom, ReviewCaseSchema } from './review-case.ts';
import { nextCases } from './review-queue.ts';
import { ReviewSummarySchema, reviewSummary } from './review-summary.ts';
import { undoAnswer } from './undo-answer.ts';

const tags = ['Review'];
const SiteQuerySchema = z.strictObject({ siteId: z.string().optional() });
const MAX_CASES = 50;
/** A skipped picture comes back to the same person after this time, if no other has decided it. */
const SKIPPED_MS = HOUR_MS;

const nextRoute = createRoute({
  method: 'get',
  path: '/review/next',
  tags,
  summary: 'List the oldest pictures that need a person',
  description:
    'Pictures whose read was of no use or left a question open, of visits without a plate, and of visits with a flag ' +
    'that the picture decides. Pictures that somebody else has claimed are left out. Some that are decided come again, ' +
    'to another person and unmarked, to measure how often people agree.',
  request: {
    query: SiteQuerySchema.extend({
      n: z.coerce.number().int().min(1).max(MAX_CASES).default(2).openapi({ type: 'integer', example: 2 }),
    }),
  },
  responses: {
    200: {
      description: 'Pictures, the oldest first',
      content: json(z.strictObject({ data: z.array(ReviewCaseSchema) }).meta({ id: 'ReviewCases' })),
    },
    ...LIST_REFUSALS,
  },
});

const summaryRoute = createRoute({
  method: 'get',
  path: '/review/summary',
  tags,
  summary: 'Get how review is going',
  description:
    'How many pictures wait, how fast people answer and how often they agree, how often each camera misreads by the ' +
    'hour, and pictures that two people see differently. Only pictures that needed a person are counted: the rate is ' +
    'not that of all reads of a camera.',
  request: { query: SiteQuerySchema },
  responses: {
    200: { description: 'The summary', content: json(ReviewSummarySchema) },
    ...LIST_REFUSALS,
  },
});

const ANSWER_REFUSALS = {
  ...REFUSALS.input,
  ...READ_REFUSALS,
  409: refusal('Somebody else claimed, decided or changed it'),
};

const claimRoute = createRoute({
  method: 'post',
  path: '/photo/{id}/claim',
  tags,
  summary: 'Claim a photo for review for 60 seconds, or renew the claim',
  request: { params: IdParamSchema },
  responses: {
    200: {
      description: 'Claimed',
      content: json(
        z
          .strictObject({ id: z.string(), claimedUntil: UtcTimeSchema })
          .meta({ id: 'ReviewClaim', example: { id: 'p1', claimedUntil: '2026-11-21T12:01:00.000Z' } }),
      ),
    },
    ...ANSWER_REFUSALS,
  },
});

const releaseRoute = createRoute({
  method: 'delete',
  path: '/photo/{id}/claim',
  tags,
  summary: 'Release the caller’s claim of a photo',
  description: 'Others can have it at once. Without a claim of the caller nothing happens.',
  request: { params: IdParamSchema },
  responses: { 204: { description: 'Released' }, ...ANSWER_REFUSALS },
});

const AnswerSchema = z
  .discriminatedUnion('answer', [
    z.strictObject({ answer: z.literal('plate'), plate: PlateSchema }),
    z.strictObject({ answer: z.literal('none') }),
    z.strictObject({ answer: z.literal('skip') }),
  ])
  .meta({ id: 'ReviewAnswer', example: { answer: 'plate', plate: 'ABX12' } });

const OUTCOMES = [
  'photo-only',
  'visit-corrected',
  'visit-ended',
  'no-visit',
  'ambiguous-visit',
  'for-office',
  'skipped',
] as const;

const answerRoute = createRoute({
  method: 'post',
  path: '/photo/{id}/answer',
  tags,
  summary: 'Answer which plate a photo shows',
  description:
    '`plate`: it shows this one. The photo and its visit are corrected, entry and exit are matched again, and the site ' +
    'gets the change. `none`: no plate is readable; the photo is reviewed and no visit changes. `skip`: left to others; ' +
    'it comes back to the caller after an hour. DELETE undoes the answer.',
  request: { params: IdParamSchema, body: jsonBody(AnswerSchema) },
  responses: {
    200: {
      description: 'Recorded',
      content: json(
        z
          .strictObject({
            id: z.string(),
            outcome: z
              .enum(OUTCOMES)
              .describe(
                'As with PUT /photo/{id}. `for-office`: the photo is corrected and its visit is not, as `messages` say; ' +
                  'the visit is flagged.',
              ),
            messages: z.array(z.string()),
            codes: z.array(MistakeSchema),
          })
          .meta({
            id: 'AnsweredPhoto',
            example: { id: 'p1', outcome: 'visit-corrected', messages: [], codes: [] },
          }),
      ),
    },
    ...ANSWER_REFUSALS,
  },
});

const undoRoute = createRoute({
  method: 'delete',
  path: '/photo/{id}/answer',
  tags,
  summary: 'Undo the caller’s last answer about a photo',
  description:
    'Photo and visit are as before, here and at the site, and the caller has the photo claimed again. Refused with 409 ' +
    'if somebody has changed them since. Without an answer of the caller nothing happens.',
  request: { params: IdParamSchema },
  responses: { 204: { description: 'Undone' }, ...ANSWER_REFUSALS },
});

export function reviewRoutes({ db, clock }: CloudContext) {
  return createRouter()
    .openapi(nextRoute, async (c) => {
      const { n, siteId } = c.req.valid('query');
      const { accountId } = callerOf(c, 'account');
      const now = nowUtc(clock);
      const skippedSince = utcTime(millis(now) - SKIPPED_MS);
      const reviewer = { accountId, siteIds: sitesAsked(c, siteId), now, skippedSince };
      const data = await db.read(async (q) => {
        const cases = [];
        for (const facts of await nextCases(q, reviewer, n)) cases.push(await caseFrom(q, facts));
        return cases;
      });
      return c.json({ data }, 200);
    })
    .openapi(summaryRoute, async (c) => {
      const siteIds = sitesAsked(c, c.req.valid('query').siteId);
      return c.json(await db.read((q) => reviewSummary(q, siteIds, nowUtc(clock))), 200);
    })
    .openapi(claimRoute, async (c) => {
      const { id } = c.req.valid('param');
      const claimed = await claimCase(db, actorOf(c, clock), id);
      return claimed.ok ? c.json({ id, claimedUntil: claimed.until }, 200) : refuseAnswer(c, claimed);
    })
    .openapi(releaseRoute, async (c) => {
      const released = await releaseCase(db, actorOf(c, clock), c.req.valid('param').id);
      return released.ok ? c.body(null, 204) : refuseAnswer(c, released);
    })
    .openapi(answerRoute, async (c) => {
      const { id } = c.req.valid('param');
      const answered = await answerCase(db, actorOf(c, clock), id, c.req.valid('json'));
      if (!answered.ok) return refuseAnswer(c, answered);
      const { outcome, mistakes } = answered;
      return c.json({ id, outcome, messages: englishLines(mistakes), codes: mistakes }, 200);
    })
    .openapi(undoRoute, async (c) => {
      const undone = await undoAnswer(db, actorOf(c, clock), c.req.valid('param').id);
      return undone.ok ? c.body(null, 204) : refuseAnswer(c, undone);
    });
}

/** The site that is asked for, of those that the caller sees; null: every site. */
function sitesAsked(c: Context<CloudEnv>, siteId: string | undefined): readonly string[] | null {
  const seen = sitesOf(ownRows(callerOf(c, 'account')));
  if (siteId === undefined) return seen;
  return seen === null || seen.includes(siteId) ? [siteId] : [];
}

function refuseAnswer(c: Context<CloudEnv>, refused: RefusedAnswer) {
  if (refused.reason === 'conflict') return conflict(c, refused.mistake);
  return refused.reason === 'input' ? inputError(c, ...refused.mistakes) : notFound(c, 'photo');
}
