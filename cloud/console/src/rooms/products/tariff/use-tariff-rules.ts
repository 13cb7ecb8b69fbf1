import { useEffect, useState } from 'react';

type TariffRules = typeof import('./tariff-rules.ts');

let loaded: TariffRules | null = null;

/** The rules of the gate, which are loaded after the room; null until then. */
export function useTariffRules(): TariffRules | null {
  const [rules, setRules] = useState(loaded);
  useEffect(() => {
    void import('./tariff-rules.ts').then((module) => {
      loaded = module;
      setRules(module);
    });
  }, []);
  return rules;
}
