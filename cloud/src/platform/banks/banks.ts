import type { z } from 'zod';
import { type NamedService, namedServiceSchema } from '../token-service.ts';
import type { Bank } from './bank.ts';
import { IobwsBank, type IobwsOptions, IobwsSchema } from './iobws-bank.ts';

/** A configured bank. */
export type NamedBank = NamedService<IobwsOptions>;

/** The variable with the token of a bank: `HLID_BANK_TOKEN`, or with its id at the end. */
export const BANK_TOKEN = 'HLID_BANK_TOKEN';

/** An entry of `banks` in cloud.yaml, completed with its token of the environment. */
export function namedBankSchema(
  environment: Readonly<Record<string, string | undefined>>,
): z.ZodType<NamedBank> {
  return namedServiceSchema(IobwsSchema, { variable: BANK_TOKEN, usualId: 'bank' }, environment);
}

/** The banks of the configuration. */
export class Banks {
  readonly #banks: ReadonlyMap<string, Bank>;

  constructor(banks: ReadonlyMap<string, Bank>) {
    this.#banks = banks;
  }

  static of(named: readonly NamedBank[]): Banks {
    return new Banks(new Map(named.map(({ id, config }) => [id, new IobwsBank(config)])));
  }

  get(id: string): Bank | null {
    return this.#banks.get(id) ?? null;
  }

  ids(): string[] {
    return [...this.#banks.keys()];
  }
}
