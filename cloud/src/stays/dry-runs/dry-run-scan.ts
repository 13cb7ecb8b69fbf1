import { scanKey } from '../../platform/db/scan-job.ts';
import type { DryRunPiece, DryRunQuestion } from './scan-dry-run.ts';

/** The scan of a dry run; scan-jobs.ts loads its job where it runs. */
export const DRY_RUN_SCAN = scanKey<DryRunQuestion, DryRunPiece>('dry-run');
