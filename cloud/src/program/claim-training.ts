import { type Clock, nowUtc } from '@hlid/node/clock';
import { Fault } from '@hlid/protocol/base/fault';
import type { Db } from '../platform/db/db.ts';
import { anyAccount } from '../records/accounts/account-store.ts';
import { isTrainingDatabase, markAsTraining } from '../records/training/training-store.ts';

/**
 * A database is one of a training installation from its first start, or never: a wrong line in the configuration marks
 * no real car park as a simulated one, and no simulated one passes for real. Throws Fault `config-invalid`.
 */
export async function claimTraining(db: Db, isTraining: boolean, clock: Clock): Promise<void> {
  const problem = await db.write(async ({ q }) => {
    const wasTraining = await isTrainingDatabase(q);
    if (wasTraining === isTraining) return null;
    if (wasTraining) return 'trainerUrl: missing, and the database is of a training installation';
    if (await anyAccount(q)) return 'trainerUrl: the database is of real car parks: training needs a new one';
    await markAsTraining(q, nowUtc(clock));
    return null;
  });
  if (problem !== null) throw new Fault('config-invalid', problem, { details: { mistakes: [problem] } });
}
