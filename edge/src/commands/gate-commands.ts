import { newId } from '@hlid/node/new-id';
import { millis, utcTime } from '@hlid/protocol/base/utc-time';
import type { GateReason } from '@hlid/protocol/records/gate-reason';
import type {
  CarAtGate,
  Command,
  CommandAction,
  CommandOutcome,
  CommandReply,
} from '@hlid/protocol/site-link/commands';
import { PROTOCOL_VERSION } from '@hlid/protocol/site-link/envelope';
import type { GateAction, GateOutcome } from '@hlid/protocol/site-link/site-event';
import { LOG_EVENTS } from '../base/events.ts';
import type { GateCommand } from '../gate/gate-mode.ts';
import type { Lane } from '../lane/lane.ts';
import type { Lanes } from '../lane/lanes.ts';
import type { EdgeContext } from '../outbox/edge-context.ts';
import type { Passage } from '../passage/passage-store.ts';
import type { CommandAge } from './command-age.ts';
import { CommandStore } from './command-store.ts';

/** A command for one gate of the site, or for all. */
interface SiteGateCommand {
  action: CommandAction;
  /** Null: every lane. */
  laneId: string | null;
  by: string;
  reason: string;
  lapseMinutes?: number | null;
}

/** The command of a person who stands at the site. */
interface PersonCommand extends SiteGateCommand {
  laneId: string;
  name: string;
  reasonCode: GateReason;
  /** The car that is meant; absent: whichever stands there. */
  passageId?: string | null;
  /** The address of the person's device. */
  from: string;
}

type PersonResult =
  | { outcome: GateOutcome }
  | { outcome: NoMove }
  /** `car`: the car that stands there now; null: none does. */
  | { outcome: 'stale'; car: CarAtGate | null };

/** Why nothing is moved: there is no such lane, or it has no gate. */
type NoMove = 'unknown-lane' | 'no-gate';

type CommandContext = Pick<EdgeContext, 'db' | 'commit' | 'clock' | 'log'>;

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

/** Commands of people for gates: from the cloud, or from a technician at the site. */
export class GateCommands {
  readonly #context: CommandContext;
  readonly #lanes: Lanes;
  readonly #age: CommandAge;
  readonly #store: CommandStore;
  /** The newest accepted commands, also while the database cannot be written. */
  readonly #accepted = new Set<string>();

  constructor(context: CommandContext, lanes: Lanes, age: CommandAge) {
    this.#context = context;
    this.#lanes = lanes;
    this.#age = age;
    this.#store = new CommandStore(context.db);
  }

  /** A command of the cloud. Resolves with the reply once what was done is recorded; null: it was accepted before. */
  async handle(command: Command): Promise<CommandReply | null> {
    const { id, action, laneId, by, name, reasonCode, passageId } = command;
    const { clock, log } = this.#context;
    const reply = (outcome: CommandOutcome, lanes: LaneResult[] = [], echo: string | null = null) => {
      const why = { by, name, reasonCode, passageId };
      log.info({ event: LOG_EVENTS.commandTaken, id, action, laneId, ...why, outcome });
      return { v: PROTOCOL_VERSION, id, outcome, lanes, echo, at: utcTime(clock.now()) } as const;
    };
    if (this.#accepted.has(id)) return null;
    const judged = this.#age.judge(command);
    if (!judged.fresh) return reply('expired', [], judged.echo);
    if (!(await this.#accept(command))) {
      log.warn({ event: LOG_EVENTS.commandDropped, id, action, laneId, by, reason: 'accepted before' });
      return null;
    }
    const stale = this.#staleLane(laneId, passageId);
    if (stale) return { ...reply('stale'), car: this.#carAt(stale) };
    const deadline = performance.now() + millis(command.expiresAt) - millis(command.sentAt);
    const results = await this.#move(command, id, { stillWanted: () => performance.now() <= deadline });
    return typeof results === 'string' ? reply(results) : reply(worst(results), results);
  }

  /** A technician's command. Resolves with the outcome at each lane. */
  move(command: SiteGateCommand): Promise<LaneResult[] | NoMove> {
    return this.#move(command, newId());
  }

  /** A command for one lane of a person at the site, who sees a car there, or its picture. */
  async moveForPerson({ from, ...command }: PersonCommand): Promise<PersonResult> {
    const { action, laneId, by, name, reasonCode, passageId = null } = command;
    const id = newId();
    const result = await this.#moveUnlessStale(command, id);
    const why = { by, name, from, reasonCode, passageId };
    this.#context.log.info({
      event: LOG_EVENTS.commandTaken,
      id,
      action,
      laneId,
      ...why,
      outcome: result.outcome,
    });
    return result;
  }

  async #moveUnlessStale(command: Omit<PersonCommand, 'from'>, id: string): Promise<PersonResult> {
    const { laneId, passageId = null } = command;
    const stale = this.#staleLane(laneId, passageId);
    if (stale) return { outcome: 'stale', car: this.#carAt(stale) };
    const results = await this.#move(command, id);
    if (typeof results === 'string') return { outcome: results };
    return { outcome: results[0]?.outcome ?? 'unknown-lane' };
  }

  /** Accepts a command, once. A disk that cannot be written does not keep a driver from an opening. */
  async #accept({ id, action }: Command): Promise<boolean> {
    if (this.#accepted.has(id)) return false;
    this.#accepted.add(id);
    for (const oldest of this.#accepted) {
      if (this.#accepted.size <= MAX_REMEMBERED) break;
      this.#accepted.delete(oldest);
    }
    const { commit, clock, log } = this.#context;
    try {
      return await commit.run(() => this.#store.accept(id, utcTime(clock.now())));
    } catch (err) {
      log.error({ event: LOG_EVENTS.commandDropped, id, err });
      return action === 'open' || action === 'hold';
    }
  }

  /** The lane of a command for a car that does not stand there any more; undefined: the command can be executed. */
  #staleLane(laneId: string | null, passageId: string | null): Lane | undefined {
    const lane = laneId === null ? undefined : this.#lanes.get(laneId);
    return passageId !== null && lane?.cars.isStale(passageId) ? lane : undefined;
  }

  #carAt(lane: Lane): CarAtGate | null {
    const car = lane.cars.waiting(utcTime(this.#context.clock.now()));
    return car && carView(car);
  }

  async #move(
    { action, laneId, by, reason, ...given }: SiteGateCommand & Partial<Command>,
    id: string,
    more: Pick<GateCommand, 'stillWanted'> = {},
  ): Promise<LaneResult[] | NoMove> {
    const one = laneId === null ? null : this.#lanes.get(laneId);
    if (one === undefined) return 'unknown-lane';
    if (one?.gate.mode() === 'none') return 'no-gate';
    const { name = null, reasonCode = null, passageId = null, lapseMinutes = null } = given;
    const asked = { by, name, reasonCode, reason, passageId, lapseMinutes };
    return await Promise.all(
      (one === null ? this.#lanes.gated() : [one]).map(async (lane) => {
        const movementId = one === null ? newId() : id;
        const movement = { id: movementId, laneId: lane.id, action: ACTIONS[action], ...asked, ...more };
        return { laneId: lane.id, outcome: await lane.gate.execute(movement) };
      }),
    );
  }
}

/** The car as it is shown to a person who means another one. */
function carView({ id: passageId, visitId, plate, firstSeenAt: since }: Passage): CarAtGate {
  return { passageId, visitId, plate, since };
}

function worst(results: readonly LaneResult[]): GateOutcome {
  const ranks = results.map(({ outcome }) => OUTCOMES.indexOf(outcome));
  return OUTCOMES[Math.max(0, ...ranks)] ?? 'done';
}
