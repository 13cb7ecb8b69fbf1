import { z } from 'zod';
import type { Bank } from './bank.ts';
import { IobwsBank, type IobwsOptions, IobwsSchema } from './iobws-bank.ts';

/** A configured bank. */
export interface NamedBank {
  id: string;
  config: IobwsOptions;
}

const IdSchema = z.string().regex(/^[a-z\d][a-z\d-]{0,39}$/, 'small letters, digits and dashes');

/** The variable with the token of a bank: `HLID_BANK_TOKEN`, or with its id at the end. */
export const BANK_TOKEN = 'HLID_BANK_TOKEN';
const USUAL_ID = 'bank';

/** An entry of `banks` in cloud.yaml, completed with its token of the environment. */
export function namedBankSchema(
  environment: Readonly<Record<string, string | undefined>>,
): z.ZodType<NamedBank> {
  return z.looseObject({ id: IdSchema.default(USUAL_ID) }).transform(({ id, ...entry }, context) => {
    const suffix = id === USUAL_ID ? '' : `_${id.replaceAll('-', '_').toUpperCase()}`;
    const token = environment[`${BANK_TOKEN}${suffix}`];
    const parsed = IobwsSchema.safeParse({ ...entry, ...(token && { token }) });
    if (parsed.success) return { id, config: parsed.data };
    for (const { message, path } of parsed.error.issues) context.addIssue({ code: 'custom', path, message });
    return z.NEVER;
  });
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
