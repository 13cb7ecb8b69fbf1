import type { Clock } from '@hlid/node/clock';
import { AudkenniCiba } from './audkenni-ciba.ts';
import { AudkenniRest } from './audkenni-rest.ts';
import type { ElectronicId } from './electronic-id.ts';
import type { ElectronicIdConfig } from './electronic-id-config.ts';
import { TestingElectronicId } from './testing-electronic-id.ts';

/** The provider that is configured; null: there is no login by electronic identity. */
export function createElectronicId(config: ElectronicIdConfig | null, clock: Clock): ElectronicId | null {
  switch (config?.kind) {
    case undefined:
      return null;
    case 'audkenni-rest':
      return new AudkenniRest(config);
    case 'audkenni-ciba':
      return new AudkenniCiba(config, clock);
    case 'testing':
      return new TestingElectronicId(config);
    default:
      return config satisfies never;
  }
}
