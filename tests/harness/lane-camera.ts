import type { CameraFormat } from '@hlid/protocol/camera/camera-formats';
import { createAxisCamera } from '../sim/axis-camera.ts';
import type { SimulatedCamera } from '../sim/camera.ts';
import { createDahuaCamera } from '../sim/dahua-camera.ts';
import { createHikvisionCamera } from '../sim/hikvision-camera.ts';
import { createMilesightCamera } from '../sim/milesight-camera.ts';
import { createOpenAlprAgent } from '../sim/open-alpr-agent.ts';
import { createSurvisionCamera } from '../sim/survision-camera.ts';
import type { LanePlan } from './edge-document.ts';

const AGENT_UID_LENGTH = 40;

type CameraPlan = Pick<LanePlan, 'cameraId' | 'name' | 'output'>;

/** The simulated cameras, by the format that they speak. A maker may have none. */
const SIMULATED = {
  'open-alpr': ({ cameraId, name, output }) =>
    createOpenAlprAgent({
      agentUid: `SIM${cameraId.toUpperCase().replace(/[^A-Z0-9]/g, '')}`.padEnd(AGENT_UID_LENGTH, 'X'),
      cameraId: 1000 + output,
      cameraName: name,
    }),
  survision: ({ cameraId }) =>
    createSurvisionCamera({ serial: `SIM-${cameraId}`, session: Math.floor(Date.now() / 1000) }),
  hikvision: ({ output }) => createHikvisionCamera({ macAddress: `02:00:00:00:00:0${output}` }),
  axis: ({ output }) =>
    createAxisCamera({ serial: `02000000000${output}`, firstCarId: Math.floor(Date.now() / 1000) }),
  milesight: ({ cameraId }) => createMilesightCamera({ device: cameraId }),
  dahua: ({ cameraId }) => createDahuaCamera({ deviceId: cameraId }),
} satisfies Partial<Record<CameraFormat, (lane: CameraPlan) => SimulatedCamera>>;

export type SimulatedFormat = keyof typeof SIMULATED;

/** The simulated camera of a lane that pushes what it sees. */
export function cameraOf(lane: LanePlan): SimulatedCamera {
  return SIMULATED[lane.format](lane);
}
