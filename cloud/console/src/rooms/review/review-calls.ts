import type { Answer, AnswerOutcome } from '@hlid/cloud/stays/review/answer-case';
import type { ReviewCase as CloudCase } from '@hlid/cloud/stays/review/review-case';
import type { reviewRoutes } from '@hlid/cloud/stays/review/review-routes';
import { answered, apiOf, read } from '../../calls/api.ts';
import type { Refusal } from '../../calls/refusal.ts';

export type ReviewCase = CloudCase;
export type ReviewAnswer = Answer;
export interface AnswerResult extends Pick<Refusal, 'messages' | 'codes'> {
  outcome: AnswerOutcome;
}

const api = apiOf<typeof reviewRoutes>();

/** The calls of a queue; refusals are thrown. */
export interface ReviewCalls {
  next(count: number): Promise<readonly ReviewCase[]>;
  claim(id: string): Promise<unknown>;
  release(id: string): Promise<unknown>;
  /** @param key the same at each try */
  answer(id: string, answer: ReviewAnswer, key: string): Promise<AnswerResult>;
  undo(id: string): Promise<unknown>;
}

export function reviewCalls(filter: { siteId?: string }): ReviewCalls {
  const photo = api.photo[':id'];
  return {
    async next(count) {
      const query = { ...filter, n: String(count) };
      return (await read(api.review.next.$get({ query }))).data;
    },
    claim: (id) => read(photo.claim.$post({ param: { id } })),
    // The claim is released even if the page is being closed.
    release: (id) => answered(photo.claim.$delete({ param: { id } }, { init: { keepalive: true } })),
    answer: (id, json, key) =>
      read(photo.answer.$post({ param: { id }, json }, { headers: { 'Idempotency-Key': key } })),
    undo: (id) => answered(photo.answer.$delete({ param: { id } })),
  };
}
