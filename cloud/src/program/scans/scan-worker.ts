import { serveScans } from '../../platform/db/serve-scans.ts';
import { scanJob } from './scan-jobs.ts';

serveScans(scanJob);
