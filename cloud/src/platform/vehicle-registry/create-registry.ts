import type { RegistryConfig } from '../config.ts';
import { FileRegistry } from './file-registry.ts';
import { HttpRegistry } from './http-registry.ts';
import type { VehicleRegistry } from './vehicle-registry.ts';

/** The register of vehicles that is configured; null: there is none. */
export function createRegistry(config: RegistryConfig | null): VehicleRegistry | null {
  if (config === null) return null;
  return 'file' in config ? new FileRegistry(config.file) : new HttpRegistry(config);
}
