import { createAxisCamera } from '../sim/axis-camera.ts';
import type { SimulatedCamera } from '../sim/camera.ts';
import { createDahuaCamera } from '../sim/dahua-camera.ts';
import { createHikvisionCamera } from '../sim/hikvision-camera.ts';
import { createMilesightCamera } from '../sim/milesight-camera.ts';
import { createOpenAlprAgent } from '../sim/open-alpr-agent.ts';
import { createSurvisionCamera } from '../sim/survision-camera.ts';
import type { LanePlan } from './edge-document.ts';

const AGENT_UID_LENGTH = 40;

/** The simulated camera of a lane that pushes what it sees. */
export function cameraOf({ cameraId, format, name, output }: LanePlan): SimulatedCamera {
  switch (format) {
    case 'open-alpr':
      return createOpenAlprAgent({
        agentUid: `SIM${cameraId.toUpperCase().replace(/[^A-Z0-9]/g, '')}`.padEnd(AGENT_UID_LENGTH, 'X'),
        cameraId: 1000 + output,
        cameraName: name,
      });
    case 'survision':
      return createSurvisionCamera({ serial: `SIM-${cameraId}`, session: Math.floor(Date.now() / 1000) });
    case 'hikvision':
      return createHikvisionCamera({ macAddress: `02:00:00:00:00:0${output}` });
    case 'axis':
      return createAxisCamera({ serial: `02000000000${output}`, firstCarId: Math.floor(Date.now() / 1000) });
    case 'milesight':
      return createMilesightCamera({ device: cameraId });
    case 'dahua':
      return createDahuaCamera({ deviceId: cameraId });
    default:
      return format satisfies never;
  }
}
