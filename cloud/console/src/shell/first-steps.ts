import type { firstStepsRoutes } from '@hlid/cloud/integration/first-steps/first-steps-routes';
import { MINUTE_MS } from '@hlid/protocol/base/durations';
import { queryOptions } from '@tanstack/react-query';
import { answered, apiOf, read } from '../calls/api.ts';
import { can, type Session } from './session.ts';

const api = apiOf<typeof firstStepsRoutes>();

const readFirstSteps = () => read(api['first-steps'].$get());
type FirstSteps = Awaited<ReturnType<typeof readFirstSteps>>;
export type FirstStep = FirstSteps['steps'][number]['step'];

export const FIRST_STEPS_KEY = ['first-steps'];

/** The remaining steps of a new installation. */
export const firstStepsQuery = queryOptions({
  queryKey: FIRST_STEPS_KEY,
  queryFn: readFirstSteps,
  staleTime: MINUTE_MS,
  retry: false,
});

/** Whether the person sets up installations. */
export function hasFirstSteps(session: Session): boolean {
  return can(session, 'new-site');
}

export const countDone = ({ steps }: Pick<FirstSteps, 'steps'>) =>
  steps.filter(({ state }) => state === 'done').length;

/** Whether they are shown without being asked for. */
export function isUnfinished(found: FirstSteps): boolean {
  return !found.putAway && countDone(found) < found.steps.length;
}

export const putFirstStepsAway = () => answered(api['first-steps']['put-away'].$post());
export const bringFirstStepsBack = () => answered(api['first-steps']['put-away'].$delete());
