import { useEffect, useState } from 'react';

export type TariffRules = typeof import('./tariff-rules.ts').TARIFF_RULES;

let loaded: TariffRules | null = null;

/** The rules of the gate, which are loaded after the room; null until then. */
export function useTariffRules(): TariffRules | null {
  const [rules, setRules] = useState(loaded);
  useEffect(() => {
    void import('./tariff-rules.ts').then(({ TARIFF_RULES }) => {
      loaded = TARIFF_RULES;
      setRules(TARIFF_RULES);
    });
  }, []);
  return rules;
}
