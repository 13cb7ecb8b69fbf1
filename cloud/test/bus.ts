import { type CommandReply, type SiteCommand, SiteCommandSchema } from '@hlid/protocol/site-link/commands';
import type { LeafFromSite, LeafToSite, SiteBus, SiteListener } from '../src/platform/broker/site-bus.ts';

type Answer = Partial<CommandReply> | null;
type Answers = (command: SiteCommand) => Answer | Promise<Answer>;

/** A bus without a broker, at which a test plays the sites. */
export class TestBus implements SiteBus {
  readonly sent: { siteId: string; leaf: LeafToSite; payload: string }[] = [];
  readonly #listeners: [LeafFromSite, SiteListener][] = [];
  readonly #sites = new Map<string, Answers>();

  /** Connects a site that answers commands like this; by default it carries out all; null: no answer. */
  play(siteId: string, answers: Answers = () => ({})): void {
    this.#sites.set(siteId, answers);
  }

  on(leaf: LeafFromSite, listener: SiteListener): void {
    this.#listeners.push([leaf, listener]);
  }

  onGone(): void {}

  async publish(siteId: string, leaf: LeafToSite, payload: string): Promise<void> {
    this.sent.push({ siteId, leaf, payload });
    if (leaf === 'cmd') this.#obey(siteId, SiteCommandSchema.parse(JSON.parse(payload)));
  }

  isConnected(siteId: string): boolean {
    return this.#sites.has(siteId);
  }

  disconnect(siteId: string): void {
    this.#sites.delete(siteId);
  }

  /** A message from a site; `retained`: the site sent it before we subscribed. */
  deliver(siteId: string, leaf: LeafFromSite, message: unknown, { retained = false } = {}): void {
    const payload = Buffer.from(JSON.stringify(message));
    for (const [subscribed, listener] of this.#listeners)
      if (subscribed === leaf) listener(siteId, payload, retained);
  }

  #obey(siteId: string, command: SiteCommand): void {
    const answer = this.#sites.get(siteId)?.(command) ?? null;
    if (answer instanceof Promise) void answer.then((later) => this.#reply(siteId, command, later));
    else this.#reply(siteId, command, answer);
  }

  #reply(siteId: string, command: SiteCommand, answer: Answer): void {
    if (!answer) return;
    const { id, sentAt } = command;
    const laneId = 'laneId' in command ? (command.laneId ?? 'in-1') : null;
    const lanes = laneId === null ? [] : [{ laneId, outcome: 'done' as const }];
    const reply: CommandReply = { v: 1, id, outcome: 'done', lanes, echo: null, at: sentAt, ...answer };
    this.deliver(siteId, 'cmd/reply', reply);
  }
}
