import type { Command, CommandAction, CommandOutcome, CommandReply } from '@hlid/protocol/commands';
import { PROTOCOL_VERSION } from '@hlid/protocol/envelope';
import type { GateAction, GateOutcome } from '@hlid/protocol/site-event';
import { millis, utcTime } from '@hlid/protocol/utc-time';
import type { Logger } from 'pino';
import type { Clock } from '../clock.ts';
import type { GroupCommit } from '../db/group-commit.ts';
import { LOG_EVENTS } from '../events.ts';
import type { GateKeeper } from '../gate/gate-keeper.ts';
import type { Movement } from '../gate/gate-order.ts';
import { newId } from '../new-id.ts';
import type { CommandAge } from './command-age.ts';
import type { CommandStore } from './command-store.ts';

/** What people want of the gates: from the cloud, or from a technician at the site. */
export interface CommandDesk {
  /** A command of the cloud. Resolves with the answer once what was done is recorded; null: it was taken before. */
  take(command: Command): Promise<CommandReply | null>;
  /**
   * A technician's wish, for a lane or for all. Resolves with what became of each lane; null: there is no such lane.
   */
  move(wish: Wish): Promise<LaneResult[] | null>;
}

interface Wish {
  action: CommandAction;
  /** Null: every lane. */
  laneId: string | null;
  by: string;
  why: string;
}

export interface LaneResult {
  laneId: string;
  outcome: GateOutcome;
}

const MAX_REMEMBERED = 1000;
const ACTIONS = {
  open: 'pulse',
  hold: 'hold',
  close: 'close',
  release: 'release',
} as const satisfies Record<CommandAction, GateAction>;
/** Best first. */
const OUTCOMES: readonly GateOutcome[] = ['done', 'unknown', 'unreachable', 'refused'];

export function createCommandDesk(parts: {
  lanes: readonly { id: string }[];
  keeper: GateKeeper;
  age: CommandAge;
  store: CommandStore;
  commit: GroupCommit;
  clock: Clock;
  log: Logger;
}): CommandDesk {
  const { keeper, age, store, commit, clock, log } = parts;
  const laneIds = parts.lanes.map(({ id }) => id);
  /** Also while the database cannot be written. */
  const taken = new Set<string>();

  /** Takes a command, once. An opening is not kept from a driver by a disk that does not write. */
  async function takeOnce({ id, action }: Command): Promise<boolean> {
    if (taken.has(id)) return false;
    taken.add(id);
    for (const oldest of taken) {
      if (taken.size <= MAX_REMEMBERED) break;
      taken.delete(oldest);
    }
    try {
      return await commit.run(() => store.take(id, utcTime(clock.now())));
    } catch (err) {
      log.error({ event: LOG_EVENTS.commandDropped, id, err });
      return action === 'open' || action === 'hold';
    }
  }

  async function move(
    { action, laneId, by, why }: Wish,
    id: string,
    more: Pick<Movement, 'stillWanted'> = {},
  ): Promise<LaneResult[] | null> {
    if (laneId !== null && !laneIds.includes(laneId)) return null;
    const wanted = laneId === null ? laneIds : [laneId];
    return await Promise.all(
      wanted.map(async (lane) => {
        const movementId = laneId === null ? newId() : id;
        const movement = { id: movementId, laneId: lane, action: ACTIONS[action], by, why, ...more };
        return { laneId: lane, outcome: await keeper.move(movement) };
      }),
    );
  }

  return {
    async take(command) {
      const { id, action, laneId, by } = command;
      const reply = (outcome: CommandOutcome, lanes: LaneResult[] = [], echo: string | null = null) => {
        log.info({ event: LOG_EVENTS.commandTaken, id, action, laneId, by, outcome });
        return { v: PROTOCOL_VERSION, id, outcome, lanes, echo, at: utcTime(clock.now()) } as const;
      };
      if (taken.has(id)) return null;
      const judged = age.judge(command);
      if (!judged.fresh) return reply('expired', [], judged.echo);
      if (!(await takeOnce(command))) {
        log.warn({ event: LOG_EVENTS.commandDropped, id, action, laneId, by, reason: 'taken before' });
        return null;
      }
      const deadline = performance.now() + millis(command.expiresAt) - millis(command.sentAt);
      const results = await move(command, id, { stillWanted: () => performance.now() <= deadline });
      return results === null ? reply('unknown-lane') : reply(worst(results), results);
    },
    move: (wish) => move(wish, newId()),
  };
}

function worst(results: readonly LaneResult[]): GateOutcome {
  const ranks = results.map(({ outcome }) => OUTCOMES.indexOf(outcome));
  return OUTCOMES[Math.max(0, ...ranks)] ?? 'done';
}
