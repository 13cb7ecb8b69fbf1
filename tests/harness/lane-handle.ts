import type { LaneView } from '@hlid/edge/lane/lane-status';
import type { PassageView } from '@hlid/edge/passage/passage-view';
import { normalisePlate } from '@hlid/protocol/plate/plate';
import { type PostAnswer, post, type Sighting, type SimulatedCamera } from '../sim/camera.ts';
import type { Relay } from '../sim/relay.ts';
import type { LanePlan } from './edge-document.ts';
import type { EdgeProgram } from './edge-program.ts';
import { waitFor } from './wait.ts';

/** A lane as a test drives through it. */
export interface LaneHandle {
  readonly plan: LanePlan;
  readonly camera: SimulatedCamera;
  /** The address to which the camera pushes, with its token. */
  pushUrl(): string;
  /** Puts a vehicle in view: sends all that the camera reports while it is there. */
  sees(plate: string | null, more?: Partial<Sighting>): Promise<PostAnswer[]>;
  /** Does the same, and returns what the lane decided. */
  passes(plate: string | null, more?: Partial<Sighting>): Promise<PassageView>;
  /** How often its gate was opened so far. */
  openings(): number;
  /** Waits until its gate was opened once more than `before`. */
  opensAfter(before: number, withinMs?: number): Promise<void>;
}

const USUAL_SCORE = 0.94;

export function laneHandle(parts: {
  plan: LanePlan;
  camera: SimulatedCamera;
  edge: EdgeProgram;
  relay: Relay;
}): LaneHandle {
  const { plan, camera, edge, relay } = parts;
  const pushUrl = () => `${edge.cameraUrl()}/cameras/${plan.cameraId}/${plan.format}?token=${plan.token}`;

  async function sees(plate: string | null, more: Partial<Sighting> = {}): Promise<PostAnswer[]> {
    const answers: PostAnswer[] = [];
    const sighting = { plate, score: plate === null ? 0 : USUAL_SCORE, at: new Date(), ...more };
    for (const document of camera.see(sighting)) answers.push(await post(pushUrl(), document));
    const refused = answers.find((answer) => answer.status !== 200);
    if (refused) throw new Error(`The edge answered ${refused.status}: ${refused.text}`);
    return answers;
  }

  return {
    plan,
    camera,
    pushUrl,
    sees,
    async passes(plate, more) {
      await sees(plate, more);
      const wanted = plate === null ? null : normalisePlate(plate);
      return waitFor(
        async () =>
          (await lanesOf(edge))
            .find(({ id }) => id === plan.id)
            ?.passages.find((passage) => passage.plate === wanted),
        { what: `the passage of ${plate ?? 'a vehicle without a plate'} at ${plan.id}`, detail: edge.tail },
      );
    },
    openings: () => relay.openings(plan.output),
    async opensAfter(before, withinMs = 3000) {
      await waitFor(() => relay.openings(plan.output) > before, {
        what: `the gate of ${plan.id} to open`,
        withinMs,
        detail: edge.tail,
      });
    },
  };
}

/** The lanes as the edge's board shows them now. */
async function lanesOf(edge: EdgeProgram): Promise<LaneView[]> {
  const response = await fetch(new URL('/api/lanes', edge.localUrl()));
  const { lanes } = (await response.json()) as { lanes: LaneView[] };
  return lanes;
}
