/** One vehicle in front of a camera. */
export interface Sighting {
  /** The plate as the camera reads it; null: a vehicle, and no plate. */
  plate: string | null;
  /** The plate on the vehicle, where the camera may read another one. */
  carPlate?: string;
  /** 0 to 1. */
  score: number;
  /** The other candidates, best first, without the plate itself. */
  alternatives?: readonly { plate: string; score: number }[];
  /** The time of the camera's clock. */
  at: Date;
  /** The direction of movement, if the camera detects it. */
  direction?: 'approaching' | 'leaving';
  /** The camera's own zone in which it stands; 1 unless given. */
  zone?: string;
}

/** A document as it goes over the wire, to be sent once or again. */
export interface CameraPost {
  /** Bytes where a maker sends pictures as they are. */
  body: string | Uint8Array<ArrayBuffer>;
  headers: Readonly<Record<string, string>>;
}

/** How the receiver answered. */
export interface PostAnswer {
  status: number;
  text: string;
}

/** A camera that pushes what it sees. */
export interface SimulatedCamera {
  /** The documents about one vehicle, in the order in which the device sends them while the vehicle stands there. */
  see(sighting: Sighting): CameraPost[];
  /** The document that it sends after the vehicle has gone; makers without such a document send none. */
  afterwards(): CameraPost[];
  /** The message that it is alive; null for makers that send none. */
  heartbeat(at: Date): CameraPost | null;
}

/** A document's body as it is on the wire. */
export function bodyBytes({ body }: Pick<CameraPost, 'body'>): Uint8Array {
  return typeof body === 'string' ? new TextEncoder().encode(body) : body;
}

/** Sends a document as a camera does, and waits for the answer. Network errors are thrown. */
export async function post(url: string, document: CameraPost, signal?: AbortSignal): Promise<PostAnswer> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...document.headers },
    body: document.body,
    signal: signal ?? AbortSignal.timeout(10_000),
  });
  return { status: response.status, text: await response.text() };
}
