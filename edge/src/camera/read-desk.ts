import type { StoredReads } from '@hlid/protocol/camera/camera-format';
import type { CameraDocument } from '@hlid/protocol/plate-read';

/** Where a camera's documents go. */
export interface ReadDesk {
  /**
   * Resolves once every read of the document is durably stored and decided; gates move after that. Same event twice:
   * resolves too.
   */
  take(cameraId: string, document: CameraDocument, receivedAt: Date): Promise<StoredReads>;
}
