import type { AnyMistake } from '@hlid/protocol/base/mistakes/any-mistake';
import { sentenceOf } from '../../../calls/refusal-words.ts';
import { isComplete, type TariffDraft } from './tariff-draft.ts';
import { useTariffRules } from './use-tariff-rules.ts';

export interface TariffFindings {
  /** What the cloud would refuse, by its place in the product that is sent. */
  sentences: ReadonlyMap<string, string>;
  /** What may not be meant. */
  warnings: readonly string[];
  /** Something has to be typed before the tariff can be checked. */
  isIncomplete: boolean;
}

/** What is wrong with a tariff while it is typed, in the words with which the cloud would refuse it. */
export function useTariffCheck(draft: TariffDraft, place: string): TariffFindings {
  const rules = useTariffRules();
  const check = rules?.checkTariff(draft) ?? null;
  const textOf = (mistake: AnyMistake) => sentenceOf(mistake, rules?.TARIFF_WORDS ?? null);
  const placed = (check?.mistakes ?? []).map((mistake) => {
    return [[place, ...mistake.path].join('.'), textOf(mistake)] as const;
  });
  return {
    sentences: new Map(placed),
    warnings: [...new Set((check?.warnings ?? []).map(textOf))],
    isIncomplete: !isComplete(draft),
  };
}
