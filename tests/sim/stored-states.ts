import type { GatewayState, StoreState } from '@hlid/cloud/platform/card-gateways/gateway';

/**
 * The states of charges and refunds that adapters have stored, by their ids: in place of the cloud's
 * database.
 */
export class StoredStates {
  readonly #states = new Map<string, GatewayState>();

  /** @param first the state where nothing is stored yet */
  of(id: string, first: GatewayState = {}): { state: GatewayState; storeState: StoreState } {
    const storeState = async (state: GatewayState) => {
      this.#states.set(id, state);
      return true;
    };
    return { state: this.#states.get(id) ?? first, storeState };
  }
}
