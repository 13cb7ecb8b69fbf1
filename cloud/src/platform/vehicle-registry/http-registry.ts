import { anySignal } from '@hlid/node/deadline';
import { readAtMost } from '@hlid/node/read-at-most';
import { Fault, messageOf } from '@hlid/protocol/base/fault';
import type { RegistryConfig } from '../config.ts';
import { readSamgongustofaAnswer } from './samgongustofa-answer.ts';
import type { RegisteredVehicle, VehicleRegistry } from './vehicle-registry.ts';

/** A vehicle with all its history has a few dozen KiB. */
const MAX_ANSWER_BYTES = 512 * 1024;

type Addresses = Extract<RegistryConfig, { byPlate: string }>;

/** A register that answers in JSON over HTTP, as the Icelandic Transport Authority does. */
export class HttpRegistry implements VehicleRegistry {
  readonly source: string;
  readonly #addresses: Addresses;

  constructor(addresses: Addresses) {
    this.#addresses = addresses;
    this.source = new URL(addresses.byPlate.replace('{plate}', 'X')).host;
  }

  async find(by: { plate: string } | { id: string }, signal: AbortSignal): Promise<RegisteredVehicle | null> {
    const { byPlate, byId } = this.#addresses;
    const address =
      'plate' in by
        ? byPlate.replaceAll('{plate}', () => encodeURIComponent(by.plate))
        : byId.replaceAll('{id}', () => encodeURIComponent(by.id));
    const answer = await this.#ask(address, signal);
    if (answer === null) return null;
    try {
      const parsed: unknown = JSON.parse(answer);
      return readSamgongustofaAnswer(parsed);
    } catch (cause) {
      throw new Fault('peer-misbehaved', 'The register of vehicles answered something else than a vehicle', {
        cause,
      });
    }
  }

  /** @returns null where there is no such vehicle */
  async #ask(address: string, signal: AbortSignal): Promise<string | null> {
    const { headers, timeoutMs } = this.#addresses;
    const deadline = AbortSignal.timeout(timeoutMs);
    try {
      const response = await fetch(address, {
        headers: { accept: 'application/json', ...headers },
        // Its credentials go nowhere else.
        redirect: 'manual',
        signal: anySignal([signal, deadline]),
      });
      if (response.ok) return response.status === 204 ? null : await textOf(response);
      await response.body?.cancel();
      if (response.status === 404) return null;
      throw new Fault('peer-misbehaved', `The register of vehicles answered ${response.status}`, {
        details: { status: response.status },
      });
    } catch (error) {
      if (error instanceof Fault) throw error;
      if (deadline.aborted) {
        throw new Fault('deadline-passed', `The register of vehicles did not answer in ${timeoutMs} ms`);
      }
      throw new Fault('link-lost', `The register of vehicles cannot be reached: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }
}

async function textOf(response: Response): Promise<string> {
  const text = await readAtMost(response, MAX_ANSWER_BYTES);
  if (text !== null) return text;
  throw new Fault('peer-misbehaved', `The register answered more than ${MAX_ANSWER_BYTES} bytes`);
}
