import type { PlacesOf } from '../texts.ts';
import type { AnyMistake, MistakePath } from './any-mistake.ts';
import type { REFUSAL_FILE_EN } from './refusals/refusal-file-en.ts';

type Dictionary = typeof REFUSAL_FILE_EN;

/** Why something is refused. Each has its words in `refusals/`. */
export type RefusalCode = keyof Dictionary;

/** The places of texts that take a number; the others take a text. */
type NumberPlace =
  | 'bytes'
  | 'cells'
  | 'columns'
  | 'dayMinor'
  | 'days'
  | 'divisor'
  | 'hours'
  | 'limit'
  | 'lines'
  | 'max'
  | 'maximum'
  | 'minimum'
  | 'minutes'
  | 'seconds'
  | 'stepMinor'
  | 'used'
  | 'weekMinor'
  | 'weekdays';

type ParamsOfText<Text extends string> = [PlacesOf<Text>] extends [never]
  ? null
  : { readonly [Place in PlacesOf<Text>]: Place extends NumberPlace ? number : string };

/** The parameters of a code's words; null: they have none. */
export type RefusalParams<Code extends RefusalCode> = Dictionary[Code] extends string
  ? ParamsOfText<Dictionary[Code]>
  : Dictionary[Code] extends (params: infer Params, ...rest: never[]) => string
    ? Params
    : null;

/** One reason of a refusal, for programs. `say-refusal.ts` puts it into words for people. */
export interface Mistake extends AnyMistake {
  code: RefusalCode;
}

type RestOf<Code extends RefusalCode> =
  RefusalParams<Code> extends null
    ? [path?: string | MistakePath]
    : [path: string | MistakePath, params: RefusalParams<Code>];

/**
 * One reason of a refusal.
 *
 * @param path as an array, or with dots: `account.customerId`; empty for the whole call
 */
export function mistake<Code extends RefusalCode>(code: Code, ...[path = [], params]: RestOf<Code>): Mistake {
  const steps = typeof path === 'string' ? path.split('.').filter((step) => step !== '') : [...path];
  return { code, path: steps, params: params ?? {} };
}

const MARK = 'code:';

/**
 * The message of a schema's own rule: the code of a refusal. It is for `z.string().regex(…,
 * wrong('currency-form'))`, `.refine(…, wrong(…))` and `addIssue({ message: wrong(…) })`. The message is the
 * only part of it that zod keeps in every kind of issue.
 */
export function wrong<Code extends RefusalCode>(
  code: Code,
  ...[params]: RefusalParams<Code> extends null ? [] : [params: RefusalParams<Code>]
): string {
  return issueMessage({ code, params: params ?? {} });
}

/** The message of an issue that carries a mistake. */
export function issueMessage({ code, params }: Pick<Mistake, 'code' | 'params'>): string {
  return `${MARK}${code}${JSON.stringify(params)}`;
}

/** The mistake in a message of `wrong`, at that place of the input; null for any other message. */
export function mistakeOfMessage(message: string, path: MistakePath): Mistake | null {
  if (!message.startsWith(MARK)) return null;
  const json = message.indexOf('{');
  const code = message.slice(MARK.length, json === -1 ? undefined : json);
  // Both were written by `wrong`.
  return {
    code: code as RefusalCode,
    path: [...path],
    params: json === -1 ? {} : JSON.parse(message.slice(json)),
  };
}
