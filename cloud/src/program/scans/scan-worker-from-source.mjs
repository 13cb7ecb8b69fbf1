// The entry of scan-entry.ts where the program runs from source: a new thread does not know TypeScript yet.
import { register } from 'tsx/esm/api';

register();
await import('./scan-worker.ts');
