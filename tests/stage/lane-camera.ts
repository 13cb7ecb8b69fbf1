import type { SimulatedCamera } from '../sim/camera.ts';
import { createOpenAlprAgent } from '../sim/open-alpr-agent.ts';
import { createSurvisionCamera } from '../sim/survision-camera.ts';
import type { LanePlan } from './edge-document.ts';

const AGENT_UID_LENGTH = 40;

/** The simulated camera of a lane. */
export function cameraOf(lane: LanePlan): SimulatedCamera {
  return lane.format === 'open-alpr'
    ? createOpenAlprAgent({
        agentUid: `SIM${lane.cameraId.toUpperCase().replace(/[^A-Z0-9]/g, '')}`.padEnd(AGENT_UID_LENGTH, 'X'),
        cameraId: 1000 + lane.output,
        cameraName: lane.name,
      })
    : createSurvisionCamera({ serial: `SIM-${lane.cameraId}`, session: Math.floor(Date.now() / 1000) });
}
