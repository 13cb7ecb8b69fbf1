import type { edgePackageRoutes } from '@hlid/cloud/sites/rollouts/edge-package-routes';
import type { rolloutRoutes } from '@hlid/cloud/sites/rollouts/rollout-routes';
import { useQuery } from '@tanstack/react-query';
import { apiOf, read } from '../../calls/api.ts';

export const rolloutApi = apiOf<typeof rolloutRoutes>();
export const packageApi = apiOf<typeof edgePackageRoutes>();

/** Queries that a change of a rollout makes stale. */
export const ROLLOUT_QUERIES = [['rollouts']] as const;
export const PACKAGE_QUERIES = [['edge-packages']] as const;

const listRollouts = () => read(rolloutApi.rollouts.$get());
export type Rollout = Awaited<ReturnType<typeof listRollouts>>['data'][number];

const readRollout = (id: string) => read(rolloutApi.rollouts[':id'].$get({ param: { id } }));
export type RolloutDetail = Awaited<ReturnType<typeof readRollout>>;
export type RolloutSite = RolloutDetail['sites'][number];

const listPackages = () => read(packageApi['edge-packages'].$get());
export type EdgePackage = Awaited<ReturnType<typeof listPackages>>['data'][number];

export function useRollouts() {
  return useQuery({ queryKey: ['rollouts'], queryFn: async () => (await listRollouts()).data });
}

export function useRollout(id: string) {
  return useQuery({ queryKey: ['rollouts', id], queryFn: () => readRollout(id) });
}

export function usePackages() {
  return useQuery({ queryKey: ['edge-packages'], queryFn: async () => (await listPackages()).data });
}
