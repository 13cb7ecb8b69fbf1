import type { CardGateway } from './gateway.ts';
import { createGateway, type GatewayParts, type NamedGateway } from './gateway-kinds.ts';

/** The gateways of the configuration. */
export class CardGateways {
  readonly #gateways: ReadonlyMap<string, CardGateway>;
  readonly #eventSecrets: ReadonlyMap<string, string>;
  readonly #usual: string | null;

  constructor(named: readonly NamedGateway[], usual: string | null, parts: GatewayParts) {
    this.#gateways = new Map(
      named.map(({ id, config }) => [
        id,
        createGateway(config, { ...parts, log: parts.log.child({ gateway: id }) }),
      ]),
    );
    this.#eventSecrets = new Map(
      named.flatMap(({ id, eventSecret }) => (eventSecret === undefined ? [] : [[id, eventSecret]])),
    );
    this.#usual = usual;
  }

  get(id: string): CardGateway | null {
    return this.#gateways.get(id) ?? null;
  }

  /** The secret that signs notifications about a gateway's payments; null: none are accepted. */
  eventSecret(id: string): string | null {
    return this.#eventSecrets.get(id) ?? null;
  }

  ids(): string[] {
    return [...this.#gateways.keys()];
  }

  /**
   * The gateway of a site, or another one that the caller asks for by its id or kind.
   *
   * @param siteGateway the site's setting
   * @returns null where there is none such
   */
  choose(
    siteGateway: string | undefined,
    provider: string | undefined,
  ): { id: string; gateway: CardGateway } | null {
    const own = siteGateway ?? this.#usual;
    const ids = provider === undefined ? [own] : [own, provider, ...this.#gateways.keys()];
    for (const id of ids) {
      const gateway = id === null ? null : this.get(id);
      const isAsked = provider === undefined || gateway?.kind === provider || id === provider;
      if (id !== null && gateway !== null && isAsked) return { id, gateway };
    }
    return null;
  }
}
