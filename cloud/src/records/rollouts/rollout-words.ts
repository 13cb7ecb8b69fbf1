import type { UtcTime } from '@hlid/protocol/base/utc-time';

export const ROLLOUT_STATES = ['running', 'paused', 'done', 'ended'] as const;
export type RolloutState = (typeof ROLLOUT_STATES)[number];

/** How far a site is: those of the protocol, and what only the cloud knows. */
export const ROLLOUT_OUTCOMES = [
  'waiting',
  'ordered',
  'downloading',
  'working',
  'installing',
  'refused',
  'done',
  'went-back',
  'stuck',
  'up-to-date',
  'skipped',
  'withdrawn',
] as const;
export type RolloutOutcome = (typeof ROLLOUT_OUTCOMES)[number];

/** Why a rollout is paused. */
export type RolloutPause =
  | { reason: 'person'; at: UtcTime; by: string }
  | { reason: 'site-failed'; at: UtcTime; siteId: string; outcome: 'went-back' | 'stuck' }
  | { reason: 'ring-failed'; at: UtcTime; ring: number };
