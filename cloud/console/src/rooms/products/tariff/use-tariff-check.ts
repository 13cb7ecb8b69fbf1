import type { AnyMistake } from '@hlid/protocol/base/mistakes/any-mistake';
import { useMemo } from 'react';
import { findingText, placeText } from './finding-text.ts';
import { countEmpty, type TariffDraft } from './tariff-draft.ts';
import { PLACES } from './tariff-words.ts';
import { useTariffRules } from './use-tariff-rules.ts';

/** Something that is wrong in a tariff, or may not be meant. */
export interface Finding {
  /** The place in the product that is sent, as its field is named. */
  place: string;
  sentence: string;
  /** The sentence after the name of its place, for a list. */
  line: string;
}

export interface TariffFindings {
  /** The mistakes for which the cloud would refuse it. */
  mistakes: readonly Finding[];
  /** Settings that may be a mistake. */
  warnings: readonly Finding[];
  /** How many fields have to be filled in before the tariff can be checked. */
  emptyFields: number;
}

/** The findings of a tariff while it is typed, by the rules with which the cloud would refuse it. */
export function useTariffCheck(draft: TariffDraft, place: string, currency: string): TariffFindings {
  const rules = useTariffRules();
  return useMemo(() => {
    const findingOf = (mistake: AnyMistake): Finding => {
      const sentence = findingText(mistake, currency);
      const name = placeText(mistake.path);
      return {
        place: [place, ...mistake.path].join('.'),
        sentence,
        line: name === '' ? sentence : PLACES.at({ place: name, sentence }),
      };
    };
    const check = rules?.checkTariff(draft) ?? null;
    return {
      mistakes: (check?.mistakes ?? []).map(findingOf),
      warnings: (check?.warnings ?? []).map(findingOf),
      emptyFields: countEmpty(draft),
    };
  }, [rules, draft, place, currency]);
}

/** The sentences by their places. A place may have several. */
export function byPlace(findings: readonly Finding[]): ReadonlyMap<string, string> {
  const found = new Map<string, string>();
  for (const { place, sentence } of findings) {
    const before = found.get(place);
    found.set(place, before === undefined ? sentence : `${before} ${sentence}`);
  }
  return found;
}
