import type { Clock } from '@hlid/node/clock';
import { codeSettlementId, codeSignerOf } from '@hlid/node/exit-code-key';
import { type UtcTime, utcTime } from '@hlid/protocol/base/utc-time';
import type { KioskFault } from '@hlid/protocol/pages/kiosk-api';
import { readExitCode } from '@hlid/protocol/records/exit-code';
import type { SettlementItem, SiteItem } from '@hlid/protocol/site-link/site-change';
import type { CloudConfig } from '../config/config.ts';
import type { GroupCommit } from '../db/group-commit.ts';
import type { LaneOutcome } from '../lane/lane-outcome.ts';
import type { SiteStays } from '../site/site-stays.ts';
import { BY_CODE, codeIdOf } from '../visit/code-settlement.ts';

interface CodeParts {
  cloud: Pick<CloudConfig, 'siteId' | 'secret'>;
  site: () => SiteItem;
  stays: Pick<SiteStays, 'visits' | 'book' | 'reconsider' | 'act'>;
  commit: Pick<GroupCommit, 'run'>;
  clock: Clock;
}

/**
 * Accepts the code of a payment that a driver made online while the site could not receive it. The visit is
 * settled once, as the cloud will settle it, however often the code is typed. An exit that waits for the
 * payment opens.
 *
 * @param allows counts the try: trying all codes must be impossible
 * @returns why the code is not accepted; null: it is
 */
export async function acceptCode(
  parts: CodeParts,
  { visitId, code }: { visitId: string; code: string },
  allows: (at: UtcTime) => boolean,
): Promise<KioskFault | null> {
  const { stays, commit, clock } = parts;
  const at = utcTime(clock.now());
  const done = await commit.run((): LaneOutcome[] | KioskFault => {
    if (!allows(at)) return 'too-many-requests';
    const visit = stays.visits.get(visitId);
    if (!visit) return 'not-found';
    if (visit.endedAt !== null) return 'visit-ended';
    const settlement = settlementOf(parts, visitId, code, at);
    if (typeof settlement === 'string') return settlement;
    if (isKnown(stays, settlement)) return [];
    // The time to leave begins with the payment, by whichever clock is behind.
    const paidAt = settlement.settledAt < at ? settlement.settledAt : at;
    stays.book.settle(settlement, at, paidAt);
    return stays.reconsider(at);
  });
  if (typeof done === 'string') return done;
  stays.act(done);
  return null;
}

function settlementOf(
  { cloud, site }: CodeParts,
  visitId: string,
  code: string,
  at: UtcTime,
): SettlementItem | 'wrong-code' | 'code-expired' {
  const { currency } = site();
  const stay = { siteId: cloud.siteId, visitId, currency };
  const claim = readExitCode(stay, code, codeSignerOf(cloud.secret), at);
  if (claim === 'expired') return 'code-expired';
  if (claim === 'wrong-code') return claim;
  const { paidAt, units, amountMinor } = claim;
  return {
    id: codeSettlementId({ visitId, ...claim }),
    visitId,
    paymentStatus: 'kiosk',
    amountMinor,
    currency,
    units,
    settledAt: paidAt,
    by: BY_CODE,
  };
}

/** The code was typed before, or the cloud's own settlement of the payment has come meanwhile. */
function isKnown({ visits }: Pick<SiteStays, 'visits'>, { id, visitId }: SettlementItem): boolean {
  return visits.settlementsOf(visitId).some((known) => known.id === id || codeIdOf(known) === id);
}
