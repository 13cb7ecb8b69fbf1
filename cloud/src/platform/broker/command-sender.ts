import type { Clock } from '@hlid/node/clock';
import { messageOf } from '@hlid/protocol/base/fault';
import { utcTime } from '@hlid/protocol/base/utc-time';
import {
  type ClaimVisitCommand,
  COMMAND_LIFE_MS,
  type Command,
  type CommandReply,
  CommandReplySchema,
  commandLifeMs,
  type DeviceCommand,
  type NotMineCommand,
  type SiteCommand,
  type TerminalCommand,
} from '@hlid/protocol/site-link/commands';
import { PROTOCOL_VERSION } from '@hlid/protocol/site-link/envelope';
import type { Logger } from 'pino';
import { EVENTS } from '../events.ts';
import { readMessage } from './read-message.ts';
import type { SiteBus } from './site-bus.ts';

/** A command to a site's gates, to one of its card terminals, or to its devices. */
export type CommandRequest =
  | RequestOf<Command>
  | RequestOf<TerminalCommand>
  | RequestOf<NotMineCommand>
  | RequestOf<ClaimVisitCommand>
  | RequestOf<DeviceCommand>;

/** All but the times, which are the sender's. */
type RequestOf<Sent> = Sent extends SiteCommand
  ? Omit<Sent, 'v' | 'sentAt' | 'expiresAt' | 'echo'> & { siteId: string }
  : never;

/** The site's answer, or the reason for its absence. */
export type CommandAnswer = Pick<
  CommandReply,
  'lanes' | 'reason' | 'detail' | 'payment' | 'terminal' | 'car' | 'cameraId' | 'device' | 'cameras'
> & {
  outcome: CommandReply['outcome'] | 'not-connected' | 'no-answer';
};

interface Waiting {
  request: CommandRequest;
  settle(answer: CommandAnswer): void;
}

/**
 * Sends people's commands to the gates, terminals and devices of sites, at once or not at all. Nothing is
 * kept for a site that is away, and the caller has an answer within the life of the command. If there are
 * several clouds, each receives all answers and picks its own.
 */
export class CommandSender {
  readonly #bus: SiteBus;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #lifeMs: number | null;
  readonly #deviceLifeMs: number | null;
  readonly #waiting = new Map<string, Waiting>();

  constructor(parts: { bus: SiteBus; clock: Clock; log: Logger; lifeMs?: number; deviceLifeMs?: number }) {
    this.#bus = parts.bus;
    this.#clock = parts.clock;
    this.#log = parts.log;
    this.#lifeMs = parts.lifeMs ?? null;
    this.#deviceLifeMs = parts.deviceLifeMs ?? null;
  }

  /** Call this before the broker starts. */
  start(): void {
    this.#bus.on('cmd/reply', (siteId, payload) => this.#take(siteId, payload));
  }

  isConnected(siteId: string): boolean {
    return this.#bus.isConnected(siteId);
  }

  /** Never throws. */
  async send(request: CommandRequest): Promise<CommandAnswer> {
    const { id, siteId } = request;
    if (!this.#bus.isConnected(siteId)) return { outcome: 'not-connected', lanes: [] };
    return await new Promise<CommandAnswer>((resolve) => {
      const settle = (answer: CommandAnswer) => {
        clearTimeout(patience);
        this.#waiting.delete(id);
        resolve(answer);
      };
      const patience = setTimeout(() => settle({ outcome: 'no-answer', lanes: [] }), this.#lifeOf(request));
      this.#waiting.set(id, { request, settle });
      this.#publish(request, null);
    });
  }

  #lifeOf({ action }: CommandRequest): number {
    const lifeMs = commandLifeMs(action);
    return (lifeMs === COMMAND_LIFE_MS ? this.#lifeMs : this.#deviceLifeMs) ?? lifeMs;
  }

  #publish({ siteId, ...request }: CommandRequest, echo: string | null): void {
    const now = this.#clock.now().getTime();
    const command: SiteCommand = {
      v: PROTOCOL_VERSION,
      ...request,
      sentAt: utcTime(now),
      expiresAt: utcTime(now + this.#lifeOf({ siteId, ...request })),
      echo,
    };
    this.#bus.publish(siteId, 'cmd', JSON.stringify(command)).catch((error) => {
      this.#log.warn({
        event: EVENTS.commandUnsent,
        siteId,
        commandId: request.id,
        reason: messageOf(error),
      });
      this.#waiting.get(request.id)?.settle({ outcome: 'not-connected', lanes: [] });
    });
  }

  #take(siteId: string, payload: Uint8Array): void {
    const read = readMessage(CommandReplySchema, payload);
    if (!read.ok) {
      this.#log.warn({ event: EVENTS.messageInvalid, siteId, leaf: 'cmd/reply', reason: read.reason });
      return;
    }
    const { v: _v, id, at: _at, echo, ...answer } = read.message;
    const { outcome } = answer;
    const waiting = this.#waiting.get(id);
    // Another cloud's, one that came too late, or another site's made-up answer.
    if (waiting?.request.siteId !== siteId) return;
    // The command is too late by the site's clock, and still waited for by ours.
    if (outcome === 'expired' && echo !== null) this.#publish(waiting.request, echo);
    else waiting.settle(answer);
  }
}
