import { preparedInsert } from '../db/prepared-insert.ts';
import { gateMovementTable, laneAlertTable, passageDecisionTable } from './passage-table.ts';

// The same once more changes nothing.
export const recordDecision = preparedInsert(passageDecisionTable, 'leave');
export const recordMovement = preparedInsert(gateMovementTable, 'leave');
export const recordAlert = preparedInsert(laneAlertTable, 'leave');
