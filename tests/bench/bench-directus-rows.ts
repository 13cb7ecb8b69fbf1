import http from 'node:http';
import { join } from 'node:path';
import { messageOf } from '@hlid/protocol/base/fault';
import { ask, type BenchCloud, newVisit, withBenchCloud } from './bench-cloud.ts';
import { MANY } from './bench-cloud-rows.ts';
import { plateOf } from './bench-plates.ts';
import { type BenchRow, count, perSecond } from './bench-table.ts';
import { createVisit, inTurns } from './cloud-lists.ts';
import { directusIsInstalled, installDirectus, startDirectus } from './directus.ts';
import { benchPlates } from './fill-cloud.ts';

const ROUNDS = 1000;

/**
 * Runs the same work on the same visits, with a token that allows just that, at the cloud and at Directus.
 */
export async function benchDirectus(
  add: (row: BenchRow) => void,
  { isAsked, visits = MANY, rounds = ROUNDS }: { isAsked: boolean; visits?: number; rounds?: number },
): Promise<void> {
  if (!canRun(isAsked)) return;
  await withBenchCloud(visits, async (cloud) => {
    const directus = await startDirectus(join(cloud.folder, 'cloud.db'));
    const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
    const authorization = { authorization: `Bearer ${directus.token}` };
    const askDirectus = (method: string, path: string, body?: object) =>
      ask(agent, new URL(path, directus.url), method, authorization, body);
    const ours = worksOfCloud(cloud);
    const newest = 'sort=-started_at&limit=50';
    const begun = () => {
      const { startedOn, ...visit } = newVisit('PEER');
      return { ...visit, started_at: startedOn, created_at: startedOn, site_id: cloud.siteId };
    };
    const works = {
      '50 by plate': (round) =>
        askDirectus('GET', `/items/visit?filter[plate][_eq]=${plateAt(cloud, round)}&${newest}`),
      '50 of a site': () => askDirectus('GET', `/items/visit?filter[site_id][_eq]=${cloud.siteId}&${newest}`),
      'create a visit': () => askDirectus('POST', '/items/visit', begun()),
    } satisfies Record<keyof typeof ours, (round: number) => Promise<number>>;
    try {
      for (const what of ['50 by plate', '50 of a site', 'create a visit'] as const) {
        const measured = await inTurns(rounds, ours[what], works[what]);
        add({
          work: `cloud against Directus, ${what}, ${count(visits)} visits, 10 connections`,
          ours: perSecond(measured.ours.perSecond),
          against: `Directus ${perSecond(measured.floor.perSecond)}`,
          ratio: measured.ours.perSecond / measured.floor.perSecond,
          goal: { atLeast: 10 },
        });
      }
    } finally {
      agent.destroy();
      await directus.stop();
    }
  });
}

/** The work that both do, at the cloud: each resolves with the status of its answer. */
export function worksOfCloud(cloud: BenchCloud) {
  return {
    '50 by plate': (round: number) => cloud.ask('GET', `/visits?plate=${plateAt(cloud, round)}`),
    '50 of a site': () => cloud.ask('GET', `/visits?siteId=${cloud.siteId}`),
    'create a visit': () => createVisit(cloud),
  };
}

const plateAt = ({ visits }: BenchCloud, round: number) => plateOf((round * 7919) % benchPlates(visits));

/** Installs Directus where it is asked for. */
function canRun(isAsked: boolean): boolean {
  if (directusIsInstalled()) return true;
  if (!isAsked) {
    console.log('Not compared with Directus, which `npm run bench -- directus` installs.');
    return false;
  }
  try {
    installDirectus();
    return true;
  } catch (error) {
    console.log(`Not compared with Directus: ${messageOf(error)}`);
    return false;
  }
}
