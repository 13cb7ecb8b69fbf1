import type { CameraFormat } from '@hlid/protocol/camera/camera-formats';

/** What became of a document's reads. */
export interface Taken {
  stored: number;
  repeated: number;
}

/**
 * The body of the answer that a maker's camera waits for once its document is on the disk. Most look at the status
 * alone. Dahua's ITSAPI wants its `Result`, and `Active` for a `KeepAlive`: without them the camera sends again.
 */
export function takenAnswer(format: CameraFormat, kind: string, taken: Taken): object {
  if (format !== 'dahua') return taken;
  return kind === 'KeepAlive' ? { Result: true, Active: true } : { Result: true };
}

/** The same for a refusal. */
export function refusedAnswer(format: string | undefined, messages: readonly string[]): object {
  return format === 'dahua' ? { Result: false, messages } : { messages };
}
