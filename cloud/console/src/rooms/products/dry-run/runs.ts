import type { dryRunRoutes } from '@hlid/cloud/stays/dry-runs/dry-run-routes';
import { apiOf, read } from '../../../calls/api.ts';

export const runApi = apiOf<typeof dryRunRoutes>();

/** The queries about runs, by the beginning of their keys. */
export const RUNS = [['runs']] as const;

export async function readRuns() {
  return (await read(runApi.runs.$get({ query: {} }))).data;
}
export type Run = Awaited<ReturnType<typeof readRuns>>[number];

export function isUnderWay({ state }: Run): boolean {
  return state === 'waiting' || state === 'running';
}
