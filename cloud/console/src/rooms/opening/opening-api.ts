import type { openingRoutes } from '@hlid/cloud/sites/opening/opening-routes';
import { useQuery } from '@tanstack/react-query';
import { answered, apiOf, read } from '../../calls/api.ts';
import { useReload, useSubmit } from '../../ui/use-submit.ts';

const api = apiOf<typeof openingRoutes>();

/** A step may be done at the site: the page follows. */
const REFETCH_MS = 2000;

const readOpening = (id: string) => read(api.sites[':id'].opening.$get({ param: { id } }));
export type Opening = Awaited<ReturnType<typeof readOpening>>;
export type OpeningStep = Opening['steps'][number];
export type StepName = OpeningStep['step'];
export type Answer = OpeningStep['accepts'][number];
type AnswerBody = Parameters<(typeof api.sites)[':id']['opening'][':step']['$post']>[0]['json'];

export function useOpening(siteId: string) {
  return useQuery({
    queryKey: ['opening', siteId],
    queryFn: () => readOpening(siteId),
    refetchInterval: REFETCH_MS,
  });
}

/** Sends what a person answers to a step. */
export function useAnswer(siteId: string, step: StepName) {
  return useSubmit(
    (json: AnswerBody, headers) =>
      read(api.sites[':id'].opening[':step'].$post({ param: { id: siteId, step }, json }, { headers })),
    { invalidates: [['opening']] },
  );
}

export function useWithdraw(siteId: string, step: StepName) {
  return useSubmit(
    (_: null, headers) =>
      answered(api.sites[':id'].opening[':step'].$delete({ param: { id: siteId, step } }, { headers })),
    { invalidates: [['opening']] },
  );
}

/** Reads again how far the opening is, after something else was changed. */
export function useOpeningAgain(): () => void {
  const reload = useReload();
  return () => reload([['opening']]);
}

export interface StepProps {
  siteId: string;
  opening: Opening;
  step: OpeningStep;
}
