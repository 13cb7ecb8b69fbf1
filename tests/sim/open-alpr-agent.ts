import type { CameraPost, Sighting, SimulatedCamera } from './camera.ts';
import { TINY_JPEG } from './jpeg.ts';

export interface OpenAlprAgentOptions {
  /** 40 characters. */
  agentUid: string;
  cameraId: number;
  cameraName?: string;
  country?: string;
  /** Frames with a plate before the vehicle has passed: that many `alpr_results`. */
  frames?: number;
  /** Whether it also sends an early group (`is_preview`). */
  preview?: boolean;
}

/** The picture's size and where the plate is in it. */
const IMAGE = { width: 1280, height: 720 };
const PLATE_CORNERS = [
  { x: 601, y: 294 },
  { x: 656, y: 284 },
  { x: 658, y: 300 },
  { x: 603, y: 311 },
];
const VEHICLE_REGION = { x: 222, y: 74, width: 522, height: 386 };
const FRAME_GAP_MS = 160;

/**
 * An OpenALPR (Rekor Scout) agent 4.x in front of a camera: `alpr_results` for each frame with a plate, then one
 * `alpr_group` for the vehicle, seconds after it has passed. Documents as in `tests/fixtures/cameras/openalpr`.
 */
export function createOpenAlprAgent(options: OpenAlprAgentOptions): SimulatedCamera {
  const { agentUid, cameraId, frames = 3, preview = false, country = 'eu' } = options;
  const sender = {
    company_id: '2305d27a-2a29-4864-bf8f-bef5dc9330ef',
    agent_uid: agentUid,
    agent_version: '4.1.1',
    agent_type: 'alprd',
    camera_id: cameraId,
  };
  const passed: Sighting[] = [];
  const uuidsOf = (sighting: Sighting) => frameTimes(sighting).map((at) => `${agentUid}-${cameraId}-${at}`);
  /** A frame belongs to one vehicle: the frames of two that come close together never have the same time. */
  const taken = new Set<number>();
  const timesOf = new WeakMap<Sighting, number[]>();

  function frameTimes(sighting: Sighting): number[] {
    const known = timesOf.get(sighting);
    if (known) return known;
    let times = framesFrom(sighting.at.getTime());
    for (let shift = 1; times.some((at) => taken.has(at)); shift++) {
      times = framesFrom(sighting.at.getTime() + shift);
    }
    for (const at of times) taken.add(at);
    timesOf.set(sighting, times);
    return times;
  }

  const framesFrom = (first: number) =>
    Array.from({ length: frames }, (_unused, frame) => first + frame * FRAME_GAP_MS);

  function results(sighting: Sighting, at: number, plate: string): object {
    return {
      data_type: 'alpr_results',
      version: 2,
      epoch_time: at,
      uuid: `${agentUid}-${cameraId}-${at}`,
      ...sender,
      img_width: IMAGE.width,
      img_height: IMAGE.height,
      processing_time_ms: 58.61,
      error: false,
      regions_of_interest: [{ x: 0, y: 0, ...IMAGE }],
      vehicles: [],
      results: [plateResult(plate, sighting)],
    };
  }

  function group(sighting: Sighting, isPreview: boolean): object {
    const uuids = uuidsOf(sighting);
    const seen = isPreview ? uuids.slice(0, 1) : uuids;
    const times = frameTimes(sighting);
    const { plate } = sighting;
    const bestUuid = seen.at(-1) ?? '';
    return {
      data_type: plate === null ? 'vehicle' : 'alpr_group',
      version: 3,
      epoch_start: times[0],
      epoch_end: times.at(-1),
      frame_start: 216,
      frame_end: 216 + frames * 4,
      ...sender,
      country,
      ...(plate !== null && { uuids: seen, plate_indexes: seen.map(() => 0) }),
      ...(plate !== null && bestPlate(plate, sighting)),
      vehicle_path: [{ x: 204, y: 130, w: 739, h: 454, t: -48, f: -1 }],
      vehicle_crop_jpeg: TINY_JPEG,
      overview_jpeg: TINY_JPEG,
      best_uuid: bestUuid,
      best_uuid_epoch_ms: times[seen.length - 1],
      best_image_width: IMAGE.width,
      best_image_height: IMAGE.height,
      travel_direction: 181.3,
      is_parked: false,
      is_preview: isPreview,
      vehicle: vehicleAppearance(plate === null),
      web_server_config: { camera_label: options.cameraName ?? 'unnamed', agent_label: 'gatehouse' },
      direction_of_travel_id: -1,
    };
  }

  return {
    see(sighting) {
      const { plate } = sighting;
      if (plate === null) return [json(group(sighting, false))];
      passed.push(sighting);
      const live = frameTimes(sighting).map((at) => results(sighting, at, plate));
      return [...live, ...(preview ? [group(sighting, true)] : [])].map(json);
    },
    afterwards() {
      return passed.splice(0).map((sighting) => json(group(sighting, false)));
    },
    heartbeat: (at) =>
      json({
        data_type: 'heartbeat',
        ...sender,
        camera_id: undefined,
        openalpr_version: '4.1.1',
        agent_hostname: 'gatehouse',
        os: 'linux',
        timestamp: at.getTime(),
        system_uptime_seconds: 86_400,
        daemon_uptime_seconds: 3600,
        license_valid: true,
        recording_enabled: true,
        cpu_cores: 4,
        cpu_usage_percent: 31.5,
        memory_total_bytes: 8_241_840_128,
        memory_consumed_bytes: 2_911_412_224,
        disk_quota_total_bytes: 8_589_934_592,
        disk_quota_consumed_bytes: 4_294_967_296,
        processing_threads_active: 2,
        processing_threads_configured: 2,
        beanstalk_queue_size: 0,
        video_streams: [
          {
            camera_id: cameraId,
            camera_name: options.cameraName ?? 'camera',
            fps: 24.8,
            is_streaming: true,
            url: 'rtsp://viewer:not-for-the-log@192.0.2.10/stream1',
            last_update: at.getTime() - 40,
          },
        ],
      }),
  };
}

function json(document: object): CameraPost {
  return { body: JSON.stringify(document), headers: { 'user-agent': 'alprd/4.1.1' } };
}

/** One plate as in `results[]` and `best_plate`. */
function plateResult(plate: string, sighting: Sighting): object {
  return {
    plate,
    confidence: percent(sighting.score),
    matches_template: 0,
    plate_index: 0,
    region: 'eu-is',
    region_confidence: 82,
    processing_time_ms: 12.29,
    requested_topn: 10,
    coordinates: PLATE_CORNERS,
    plate_crop_jpeg: TINY_JPEG,
    vehicle_region: VEHICLE_REGION,
    vehicle_detected: true,
    candidates: candidates(plate, sighting),
  };
}

/** The group's voted answer. */
function bestPlate(plate: string, sighting: Sighting): object {
  return {
    candidates: candidates(plate, sighting),
    best_plate: plateResult(plate, sighting),
    best_confidence: percent(sighting.score),
    best_plate_number: plate,
    best_region: 'eu-is',
    best_region_confidence: 84.07,
    matches_template: false,
    plate_path: [{ x: 796, y: 368, w: 54, h: 11, t: 0, f: 0 }],
  };
}

function candidates(plate: string, sighting: Sighting): object[] {
  return [{ plate, score: sighting.score }, ...(sighting.alternatives ?? [])].map((candidate) => ({
    plate: candidate.plate,
    confidence: percent(candidate.score),
    matches_template: 0,
  }));
}

function vehicleAppearance(missingPlate: boolean): object {
  const list = (name: string, confidence: number) => [{ name, confidence }];
  return {
    color: list('silver-gray', 87.31),
    make: list('toyota', 96.4),
    make_model: list('toyota_land-cruiser', 71.2),
    body_type: list('suv-standard', 93.8),
    year: list('2015-2019', 66.1),
    orientation: list('180', 98.2),
    missing_plate: list(missingPlate ? 'yes' : 'no', 97.5),
    is_vehicle: list('yes', 99.9),
  };
}

/** Agents report 0 to 100, with more digits than are significant. */
function percent(score: number): number {
  return Math.round(score * 100 * 1e6) / 1e6;
}
